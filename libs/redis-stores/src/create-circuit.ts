type CircuitOptions = {
  /** A call that takes longer has failed. */
  readonly timeoutMs?: number;
  /** So many failures in a row, and no further call is tried until the next probe. */
  readonly failuresMax?: number;
  /** How often one call may try whether the store is back. */
  readonly probeMs?: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** How long each call took, and how it ended; `skipped`: not made, because those before it failed. */
  readonly onEnded?: (end: 'answered' | 'failed' | 'skipped', milliseconds: number) => void;
};

/** Runs a call to a store that may be unreachable: it resolves in time or rejects, and rejects at once while the circuit is open. */
export type Circuit = <Result>(call: () => Promise<Result>) => Promise<Result>;

/** For callers who would rather wait than do without. */
export const runAlways: Circuit = (call) => call();

export function createCircuit({ timeoutMs = 15, failuresMax = 5, probeMs = 1000, now, onEnded }: CircuitOptions): Circuit {
  let failures = 0;
  let probeAtMs = 0;
  const fail = (): void => {
    failures += 1;
    probeAtMs = now() + probeMs;
  };
  return (call) => {
    const isOpen = failures >= failuresMax;
    const sinceMs = now();
    if (isOpen && sinceMs < probeAtMs) {
      onEnded?.('skipped', 0);
      return Promise.reject(new Error('the store is away'));
    }
    if (isOpen) probeAtMs = sinceMs + probeMs;
    // One promise of its own: every limited request passes here.
    return new Promise((resolve, reject) => {
      let isOver = false;
      const giveUp = (error: unknown): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        fail();
        onEnded?.('failed', now() - sinceMs);
        reject(error instanceof Error ? error : new Error(String(error)));
      };
      const callOver = (): void => giveUp(new Error(`the store did not reply within ${timeoutMs} ms`));
      // A reply that came while this process was busy is read before the time is called over.
      const timer = setTimeout(() => setImmediate(callOver), timeoutMs);
      call().then((value) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        failures = 0;
        onEnded?.('answered', now() - sinceMs);
        resolve(value);
      }, giveUp);
    });
  };
}
