/** So much may be used at once; it comes back evenly over a minute. */
export type Bucket = { left: number; countedAtMs: number };

type Asked = {
  readonly needed: number;
  /** Of a minute; absent: there is no limit. */
  readonly rate: number | undefined;
  readonly nowMs: number;
};

const MINUTE_MS = 60_000;

/** All of a minute's is there at the beginning. */
export function createBucket(rate: number, nowMs: number): Bucket {
  return { left: rate, countedAtMs: nowMs };
}

/** Whole seconds until so much is there; 0: it is now. */
export function secondsUntil(bucket: Bucket, { needed, rate, nowMs }: Asked): number {
  if (rate === undefined) return 0;
  bucket.left = Math.min(rate, bucket.left + ((nowMs - bucket.countedAtMs) * rate) / MINUTE_MS);
  bucket.countedAtMs = nowMs;
  return bucket.left >= needed ? 0 : Math.max(1, Math.ceil((((needed - bucket.left) / rate) * MINUTE_MS) / 1000));
}
