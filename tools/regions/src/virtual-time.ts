/** What is to happen, in its order. Time passes only from one of these to the next. */
export type VirtualTime = {
  nowMs(): number;
  /** Runs `happen` so many milliseconds from now; of several at one moment, first what was planned first. */
  after(ms: number, happen: () => void): void;
  /** Runs everything up to a moment. */
  runUntil(untilMs: number): void;
};

type Planned = { readonly atMs: number; readonly turn: number; readonly happen: () => void };

export function createVirtualTime(): VirtualTime {
  const heap: Planned[] = [];
  let nowMs = 0;
  let turns = 0;
  return {
    nowMs: () => nowMs,
    after: (ms, happen) => push(heap, { atMs: nowMs + Math.max(0, ms), turn: (turns += 1), happen }),
    runUntil: (untilMs) => {
      for (let first = heap[0]; first !== undefined && first.atMs <= untilMs; first = heap[0]) {
        pop(heap);
        nowMs = first.atMs;
        first.happen();
      }
      nowMs = untilMs;
    },
  };
}

function isBefore(one: Planned, other: Planned): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.turn < other.turn);
}

function push(heap: Planned[], planned: Planned): void {
  let at = heap.push(planned) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!isBefore(planned, heap[above] as Planned)) break;
    heap[at] = heap[above] as Planned;
    at = above;
  }
  heap[at] = planned;
}

function pop(heap: Planned[]): void {
  const last = heap.pop() as Planned;
  if (heap.length === 0) return;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const right = left + 1;
    const below = right < heap.length && isBefore(heap[right] as Planned, heap[left] as Planned) ? right : left;
    if (below >= heap.length || !isBefore(heap[below] as Planned, last)) break;
    heap[at] = heap[below] as Planned;
    at = below;
  }
  heap[at] = last;
}
