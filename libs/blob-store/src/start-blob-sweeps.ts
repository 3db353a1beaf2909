import type { BlobStore } from './blob/blob-store';

type BlobSweepParts = {
  readonly store: Pick<BlobStore, 'sweep'>;
  readonly everyMs: number;
  readonly now: () => number;
  /** Called when a sweep failed; the next one tries again. */
  readonly onError: (error: unknown) => void;
};

/** Removes what has expired, now and then; several processes may do so at once. Returns how to stop. */
export function startBlobSweeps({ store, everyMs, now, onError }: BlobSweepParts): () => Promise<void> {
  let sweep: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    sweep = sweep.then(() => store.sweep(now())).then(() => undefined, onError);
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
    return sweep;
  };
}
