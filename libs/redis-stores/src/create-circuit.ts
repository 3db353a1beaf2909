type CircuitOptions = {
  /** A call that takes longer has failed. */
  readonly timeoutMs?: number;
  /** So many failures in a row, and no further call is tried until the next probe. */
  readonly failuresMax?: number;
  /** How often one call may try whether the store is back. */
  readonly probeMs?: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Parts of the store may be away by themselves, as nodes of a cluster: calls about one thing are decided by those about it alone. */
  readonly isApart?: boolean;
  /** How long each call took, and how it ended; `skipped`: not made, because those before it failed. */
  readonly onEnded?: (end: 'answered' | 'failed' | 'skipped', milliseconds: number) => void;
};

/**
 * Runs a call to a store that may be unreachable: it resolves in time or rejects, and rejects at once while the circuit is open. `about`
 * is what the store is asked about: an organization, a member.
 */
export type Circuit = <Result>(call: () => Promise<Result>, about?: string) => Promise<Result>;

/** For callers who would rather wait than do without. */
export const runAlways: Circuit = (call) => call();

type Failing = { failures: number; probeAtMs: number };

/** So many things of which calls fail are remembered at a time. */
const FAILING_MAX = 10_000;

export function createCircuit(options: CircuitOptions): Circuit {
  const { timeoutMs = 15, failuresMax = 5, probeMs = 1000, now, isApart = false, onEnded } = options;
  const failing = new Map<string, Failing>();
  const fail = (key: string): void => {
    if (failing.size >= FAILING_MAX) failing.clear();
    const { failures } = failing.get(key) ?? { failures: 0 };
    failing.set(key, { failures: failures + 1, probeAtMs: now() + probeMs });
  };
  return (call, about) => {
    const key = isApart && about !== undefined ? about : '';
    const before = failing.get(key);
    const sinceMs = now();
    if (before !== undefined && before.failures >= failuresMax) {
      if (sinceMs < before.probeAtMs) {
        onEnded?.('skipped', 0);
        return Promise.reject(new Error('the store is away'));
      }
      before.probeAtMs = sinceMs + probeMs;
    }
    // One promise of its own: every limited request passes here.
    return new Promise((resolve, reject) => {
      let isOver = false;
      const giveUp = (error: unknown): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        fail(key);
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
        failing.delete(key);
        onEnded?.('answered', now() - sinceMs);
        resolve(value);
      }, giveUp);
    });
  };
}
