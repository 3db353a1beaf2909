/** A clock that stands still while anybody has something to do, and then jumps to the next moment somebody waits for. */
type VirtualClock = {
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Runs until no one waits any more. */
  run(): Promise<void>;
};

type Waiter = { readonly atMs: number; readonly wake: () => void };

export function createVirtualClock(): VirtualClock {
  let nowMs = 0;
  /** By moment, the soonest last. */
  const waiters: Waiter[] = [];
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  const add = (waiter: Waiter): void => {
    let [low, high] = [0, waiters.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((waiters[middle] as Waiter).atMs > waiter.atMs) low = middle + 1;
      else high = middle;
    }
    waiters.splice(low, 0, waiter);
  };

  return {
    now: () => nowMs,
    wait: (milliseconds) => new Promise((wake) => add({ atMs: nowMs + milliseconds, wake })),
    run: async () => {
      await settle();
      for (let next = waiters.pop(); next !== undefined; next = waiters.pop()) {
        nowMs = next.atMs;
        next.wake();
        while (waiters.at(-1)?.atMs === nowMs) waiters.pop()?.wake();
        await settle();
      }
    },
  };
}
