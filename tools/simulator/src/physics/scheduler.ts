/** Whose events wait: of one that has died nothing happens any more, of one that is frozen all happens when it goes on. */
export type Owner = { readonly isAlive: boolean; readonly frozenUntilMs: number };

export type Scheduled = { isCancelled: boolean };

type Entry = Scheduled & { atMs: number; order: number; readonly owner: Owner | null; readonly run: () => void };

/** Time in a world: it stands still while anything happens, and jumps to what comes next. */
export class Scheduler {
  nowMs: number;
  /** How many events have happened. */
  steps = 0;
  private readonly heap: Entry[] = [];
  private order = 0;

  constructor(
    startMs: number,
    private readonly onError: (error: unknown) => void,
  ) {
    this.nowMs = startMs;
  }

  after(delayMs: number, owner: Owner | null, run: () => void): Scheduled {
    const entry: Entry = { atMs: this.nowMs + Math.max(0, delayMs), order: (this.order += 1), owner, run, isCancelled: false };
    this.push(entry);
    return entry;
  }

  /** Lets everything happen until a moment, or until it is enough. */
  async run(untilMs: number, isEnough: () => boolean = () => false): Promise<void> {
    for (let next = this.heap[0]; next !== undefined && next.atMs <= untilMs && !isEnough(); next = this.heap[0]) {
      this.pop();
      const { owner } = next;
      if (next.isCancelled || owner?.isAlive === false) continue;
      this.nowMs = next.atMs;
      if (owner !== null && owner.frozenUntilMs > this.nowMs) {
        // Itself and no copy: who made it may still cancel it.
        next.atMs = owner.frozenUntilMs;
        next.order = this.order += 1;
        this.push(next);
        continue;
      }
      this.steps += 1;
      try {
        next.run();
      } catch (error) {
        this.onError(error);
      }
      // All that waits for a promise that is settled by now goes on before anything else happens.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    if (!isEnough()) this.nowMs = Math.max(this.nowMs, untilMs);
  }

  private push(entry: Entry): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, heap[parent] as Entry)) break;
      heap[at] = heap[parent] as Entry;
      at = parent;
    }
    heap[at] = entry;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry, heap[child] as Entry)) child += 1;
      if (!isBefore(heap[child] as Entry, last)) break;
      heap[at] = heap[child] as Entry;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
