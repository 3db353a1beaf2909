/** A timer that was set. */
export type Timer = {
  /** The process need not live for it. */
  unref(): Timer;
};

/** What waits: timers as Node has them, behind an interface so that a simulation can have a clock of its own. */
export type Timers = {
  setTimeout(run: () => void, ms: number): Timer;
  clearTimeout(timer: Timer | undefined): void;
  setInterval(run: () => void, ms: number): Timer;
  clearInterval(timer: Timer | undefined): void;
};

/** What every process has but those of a simulation. Looked up at each call, because specs replace the clock of Node. */
export const NODE_TIMERS: Timers = {
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
  setInterval: (run, ms) => setInterval(run, ms),
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout | undefined),
};
