import { LONG_TICK_MS, type LoadReading } from './regulate-backlog';

/** What became of requests by the time of a reading. */
export type Traffic = {
  readonly inFlight: number;
  /** Requests that ended since the reading before. */
  readonly ended: number;
};

/** How many requests may be under way at once, as far as a process was seen to bear them. */
export type ConcurrencyLimit = {
  /** `isFull`: whether the process is known to have too much to do; before it is, there is no limit. */
  look(reading: LoadReading, traffic: Traffic, isFull: boolean): void;
  /**
   * From 0, when there is a place for everybody, to the number of priorities, when there is none for anybody, and one more
   * when there is none for callers with little under way either.
   */
  pressure(inFlight: number): number;
  /** Whether there is a limit at all. */
  isKnown(): boolean;
  /** Whether requests are held back by it: it is known, and they last long enough for it to say something. */
  isHolding(): boolean;
};

type ConcurrencyLimitOptions = {
  readonly heapUsedMax: number;
  /** A limit beyond this is none. */
  readonly inFlightMax: number;
  /** How many priorities there are; the last is refused last. */
  readonly priorities: number;
};

/** The steps below are those of a quarter second. */
const STEP_MS = 250;
const STEPS_MAX = 4;
/** A limit below this is none: `FEW_IN_FLIGHT` are never refused, and the lowest priority is from a share of it on. */
const LIMIT_MIN = 48;
const FALL_MAX = 0.05;
/** For each time that ticks are longer than they may be. */
const FALL_PER_EXCESS = 0.05;
/** The same where they are so many times too long that there is no doubt: in ticks of seconds there are few readings. */
const [FALL_PER_LARGE_EXCESS, LARGE_FALL_MAX] = [0.01, 0.25];
/** While ticks are short, and on top of that while there is nothing to do at all. */
const RISE_SHORT = 0.1;
const RISE_IDLE = 0.2;
/** Of the limit: from where on the lowest priority is refused, and from where on all but the highest. */
const FIRST_REFUSED = 0.7;
const MOST_REFUSED = 0.9;
/** Of the limit: from here on no one is let in. The highest priority is refused from the limit on, ever more. */
const ALL_REFUSED = 1.1;
/** Of the limit: callers with little under way are refused from the one on, all of them from the other on. */
const FEW_REFUSED = [1.5, 2] as const;

/**
 * Learns how many requests a process bears. A request that takes seconds burdens it from its first to its last byte: what is
 * let in shows in the turns of the event loop long after. How many are under way shows at once, and so whom there is a place
 * for is decided by that, and only how many places there are by the turns. Requests that are over before the next reading
 * are not under way when it is taken: of them, it says nothing.
 */
export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { heapUsedMax, inFlightMax, priorities } = options;
  let limit = Infinity;
  let isLasting = false;
  const fall = (excess: number, steps: number, inFlight: number): void => {
    // While more are under way than may be, their turns say nothing about how it will be when they are gone.
    if (!isLasting || inFlight > limit * ALL_REFUSED + 1) return;
    const borne = Math.min(limit, inFlight / MOST_REFUSED);
    const share = Math.max(Math.min(FALL_MAX, excess * FALL_PER_EXCESS), Math.min(LARGE_FALL_MAX, excess * FALL_PER_LARGE_EXCESS));
    limit = Math.max(LIMIT_MIN, borne * (1 - share) ** Math.max(1, steps));
  };
  return {
    look: ({ elapsedMs, tickMs, utilization, heapUsed }, { inFlight, ended }, isFull) => {
      // Little's law: how long they last is how many there are, divided by how many end in a time.
      isLasting = inFlight * elapsedMs > ended * STEP_MS;
      if (limit === Infinity) {
        if (isFull && isLasting) limit = Math.max(LIMIT_MIN, inFlight);
        return;
      }
      const steps = Math.min(STEPS_MAX, elapsedMs / STEP_MS);
      const excess = heapUsed > heapUsedMax ? 1 : tickMs / LONG_TICK_MS - 1;
      if (excess > 0) {
        fall(excess, steps, inFlight);
        return;
      }
      limit *= 1 + (-excess * RISE_SHORT + (1 - utilization) * RISE_IDLE) * steps;
      if (limit > inFlightMax) limit = Infinity;
    },
    pressure: (inFlight) => {
      const share = inFlight / limit;
      return rise(share, FIRST_REFUSED, MOST_REFUSED) * (priorities - 1) + rise(share, 1, ALL_REFUSED) + rise(share, ...FEW_REFUSED);
    },
    isKnown: () => limit < Infinity,
    isHolding: () => isLasting && limit < Infinity,
  };
}

/** From 0 to 1 between two values. */
function rise(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}
