/** How a process is. */
export type LoadReading = {
  /** Since the last reading: a process that others keep from running reads late as well. */
  readonly elapsedMs: number;
  /** Of the time since the last reading: CPU time of a tick on the average; of one that has not ended yet, what it took so far. */
  readonly tickMs: number;
  /** Of the time since the last reading: the share in which the event loop had something to do. 0 to 1. */
  readonly utilization: number;
  /** 0 to 1. */
  readonly heapUsed: number;
};

type Backlog = {
  /** `isHeld`: whether requests are held back by how many are under way; only requests of short duration are refused for the backlog then. */
  look(reading: LoadReading, isHeld?: boolean): void;
  /** Whether there is any. */
  isThere(): boolean;
  /** From 0, when the process gets done what comes, to `max`. `tickMs`: CPU time of the running tick until now. */
  value(tickMs: number): number;
};

type BacklogOptions = {
  /** For so long there has to be too much to do before anything is done about it. */
  readonly fullMsMin: number;
  readonly max: number;
};

export const HEAP_USED_MAX = 0.85;
/**
 * CPU time of a tick. What is ready is served in one tick: its length is how much had gathered during the one before. Longer
 * ones are too long. Much shorter ones serve far fewer: what comes for a stream in one tick is done, and sent, at once.
 */
export const LONG_TICK_MS = 90;
/** The steps below are those of a quarter second. */
const STEP_MS = 250;
const RISE_MAX = 0.5;
/** Where the highest priority is refused, pressure rises more slowly and falls more quickly, so many times. */
const IMPORTANT_RISE = 0.25;
const IMPORTANT_FALL = 2.5;
/** Up to here, it is requests that are over as soon as they are begun: to refuse them is the quickest relief. */
const SHORT_REQUEST_PRESSURE = 2;
/** For each time that ticks are longer than they may be. */
const RISE_PER_EXCESS = 0.45;
/** So many times too long is no pause any more: it is not waited for a second one. */
const ENDLESS_TICKS = 5;
/** So many long ticks one may take before it adds to what is refused: admitted requests are served in it as well. */
const TICK_BUDGET = 2;
/** What is given back while ticks are short, and on top of that while there is nothing to do at all. */
const FALL_SHORT = 0.09;
const FALL_IDLE = 0.2;

/**
 * Turns readings into how much is to be refused. It begins late, for no single pause may cost a caller their response, and
 * then holds the process where its ticks are as long as they may be: refusing more would leave capacity unused,
 * refusing less would make everybody wait, also those who are refused. Between two readings, the tick that is running
 * counts: what is let in makes the next one longer, and so more arrive in it, and readings come later.
 */
export function createBacklog({ fullMsMin, max }: BacklogOptions): Backlog {
  /** From here on it is the highest priority that is refused. */
  const important = Math.floor(max);
  let fullMs = 0;
  let backlog = 0;
  const begin = ({ elapsedMs, tickMs, heapUsed }: LoadReading): number => {
    const isFull = tickMs > LONG_TICK_MS || heapUsed > HEAP_USED_MAX;
    fullMs = isFull ? fullMs + elapsedMs : 0;
    return fullMs >= fullMsMin || tickMs > ENDLESS_TICKS * LONG_TICK_MS ? RISE_MAX : 0;
  };
  const regulate = ({ tickMs, utilization, heapUsed }: LoadReading): number => {
    if (heapUsed > HEAP_USED_MAX) return RISE_MAX;
    const excess = tickMs / LONG_TICK_MS - 1;
    if (excess > 0) return Math.min(RISE_MAX, excess * RISE_PER_EXCESS);
    return excess * FALL_SHORT - (1 - utilization) * FALL_IDLE;
  };
  /** What was refused of the highest priority shows only after a while. */
  const rise = (from: number, change: number, isHeld: boolean): number => {
    if (isHeld) return Math.max(from, Math.min(SHORT_REQUEST_PRESSURE, from + change));
    const quick = clamp(important - from, 0, change);
    return from + quick + (change - quick) * IMPORTANT_RISE;
  };
  const fall = (from: number, change: number): number => from + (from > important ? change * IMPORTANT_FALL : change);
  return {
    look: (reading, isHeld = false) => {
      const { elapsedMs } = reading;
      const step = backlog === 0 ? begin(reading) : regulate(reading);
      const change = step * (elapsedMs / STEP_MS);
      backlog = clamp(change > 0 ? rise(backlog, change, isHeld) : fall(backlog, change), 0, max);
      if (backlog === 0 && step < 0) fullMs = 0;
    },
    isThere: () => backlog > 0,
    value: (tickMs) => (backlog > 0 ? Math.min(max, backlog + Math.max(0, tickMs / LONG_TICK_MS - TICK_BUDGET)) : 0),
  };
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
