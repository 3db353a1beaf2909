type CircuitOptions = {
  /** A call has failed when the store was silent for longer while this process was there to listen. */
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
  const silence = new Silence(timeoutMs, isApart);
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
      const giveUp = (error: unknown): void => {
        if (!silence.end(wait)) return;
        fail(key);
        onEnded?.('failed', now() - sinceMs);
        reject(error instanceof Error ? error : new Error(String(error)));
      };
      const wait = silence.begin(() => giveUp(new Error(`the store did not reply within ${timeoutMs} ms`)));
      call().then((value) => {
        if (!silence.end(wait)) return;
        silence.noteReply();
        failing.delete(key);
        onEnded?.('answered', now() - sinceMs);
        resolve(value);
      }, giveUp);
    });
  };
}

type Wait = { readonly onSilent: () => void; readonly heard: number; readonly turns: number };

/** The time is measured in so many slices at least, none of them longer than this. */
const SLICES_MIN = 5;
const SLICE_MS_MAX = 100;
/** So many times as long a call waits in all: behind others that are replied to, or in a process that hardly gets to run. */
const WAITED_MAX = 10;
/** How late a timer may be in a process that has enough of the processor. */
const LATE_MS = 2;

/**
 * Measures how long the store is silent, not how late this process is: the time runs in slices, after each of which whatever has
 * arrived is read, and one that took much longer than it should was no time in which this process could send or listen.
 * One timer serves all calls.
 */
class Silence {
  private readonly waiting = new Set<Wait>();
  private readonly slices: number;
  private readonly sliceMs: number;
  private timer: NodeJS.Timeout | undefined;
  private armedAtMs = 0;
  /** How many slices there were, how many of them this process could listen in, and at how many of these a reply came. */
  private turns = 0;
  private heard = 0;
  private heardAtReply = 0;

  /** `isApart`: that one call is replied to says nothing about the others. */
  constructor(
    timeoutMs: number,
    private readonly isApart: boolean,
  ) {
    this.slices = Math.max(Math.min(SLICES_MIN, timeoutMs), Math.ceil(timeoutMs / SLICE_MS_MAX));
    this.sliceMs = timeoutMs / this.slices;
  }

  begin(onSilent: () => void): Wait {
    const wait = { onSilent, heard: this.heard, turns: this.turns };
    this.waiting.add(wait);
    if (this.timer === undefined) this.arm();
    return wait;
  }

  /** False where it has ended before. */
  end(wait: Wait): boolean {
    return this.waiting.delete(wait);
  }

  noteReply(): void {
    if (!this.isApart) this.heardAtReply = this.heard;
  }

  private arm(): void {
    this.armedAtMs = performance.now();
    this.timer = setTimeout(() => {
      const isLate = performance.now() - this.armedAtMs > 2 * this.sliceMs + LATE_MS;
      // What arrived meanwhile is read first.
      setImmediate(() => this.look(isLate));
    }, this.sliceMs);
  }

  private look(isLate: boolean): void {
    this.turns += 1;
    if (!isLate) this.heard += 1;
    for (const wait of this.waiting) {
      const silent = this.heard - Math.max(wait.heard, this.heardAtReply);
      // The slice in which a call began was not a whole one.
      if (silent > this.slices || this.turns - wait.turns > this.slices * WAITED_MAX) wait.onSilent();
    }
    this.timer = undefined;
    if (this.waiting.size > 0) this.arm();
  }
}
