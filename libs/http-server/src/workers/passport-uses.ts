/** Which passports were used. */
export type PassportUses = {
  /** False when the passport of this request was used before. Remembered until `untilMs`, UTC epoch milliseconds. */
  claim(requestId: string, untilMs: number): boolean | Promise<boolean>;
};

/**
 * What became of passports that were refused, or could only be compared with those of this process. `elsewhere`: short, and for
 * another connection. `terms`: short, and its terms are not known.
 */
export type PassportNote = 'unsigned' | 'late' | 'changed' | 'used' | 'elsewhere' | 'terms' | 'unshared';

const BUCKET_MS = 60_000;

/** Those of one process, by the minute in which they can be forgotten. */
export function createMemoryPassportUses(now: () => number): PassportUses {
  const buckets = new Map<number, Set<string>>();
  let nextSweepMs = 0;
  const sweep = (nowMs: number): void => {
    nextSweepMs = nowMs + BUCKET_MS;
    for (const minute of buckets.keys()) if ((minute + 1) * BUCKET_MS <= nowMs) buckets.delete(minute);
  };
  return {
    claim: (requestId, untilMs) => {
      const nowMs = now();
      if (nowMs >= nextSweepMs) sweep(nowMs);
      for (const used of buckets.values()) if (used.has(requestId)) return false;
      const minute = Math.floor(untilMs / BUCKET_MS);
      const bucket = buckets.get(minute);
      if (bucket === undefined) buckets.set(minute, new Set([requestId]));
      else bucket.add(requestId);
      return true;
    },
  };
}
