export type CircuitOptions = {
  /** A call that takes longer has failed. */
  readonly timeoutMs?: number;
  /** So many failures in a row, and no further call is tried until the next probe. */
  readonly failuresMax?: number;
  /** How often one call may try whether the store is back. */
  readonly probeMs?: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

/** Runs a call to a store that may be away: it answers in time, or rejects at once. */
export type Circuit = <Result>(call: () => Promise<Result>) => Promise<Result>;

/** For callers who would rather wait than do without. */
export const runAlways: Circuit = (call) => call();

export function createCircuit({ timeoutMs = 15, failuresMax = 5, probeMs = 1000, now }: CircuitOptions): Circuit {
  let failures = 0;
  let probeAtMs = 0;
  return async (call) => {
    const isOpen = failures >= failuresMax;
    if (isOpen && now() < probeAtMs) throw new Error('the store is away');
    if (isOpen) probeAtMs = now() + probeMs;
    try {
      const result = await within(timeoutMs, call());
      failures = 0;
      return result;
    } catch (error) {
      failures += 1;
      probeAtMs = now() + probeMs;
      throw error;
    }
  };
}

function within<Result>(timeoutMs: number, result: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    // An answer that came while this process was busy is read before the time is called over.
    const timer = setTimeout(() => setImmediate(() => reject(new Error(`the store did not answer within ${timeoutMs} ms`))), timeoutMs);
    result.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
