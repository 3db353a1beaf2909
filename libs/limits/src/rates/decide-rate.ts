import type { RateVerdict } from './rate-limiter';

/** All times in whole microseconds of one clock. */
type RateDecision = {
  /** When the requests so far are worked off at the rate; what the store keeps. */
  readonly workedOffAtUs: number;
  readonly verdict: RateVerdict;
};

/** Rounded up, so that rounding never lets a request through. */
export function intervalUs(perMinute: number): number {
  return Math.ceil(60_000_000 / perMinute);
}

/**
 * The generic cell rate algorithm: each request takes one interval of a time line that runs at most `perMinute` intervals
 * ahead of now. The script of the shared store decides by the same rule.
 */
export function decideRate(storedUs: number, nowUs: number, perMinute: number): RateDecision {
  const interval = intervalUs(perMinute);
  const windowUs = interval * perMinute;
  // A time line further ahead than it can get comes from a clock that was set back.
  const from = Math.min(Math.max(storedUs, nowUs), nowUs + windowUs);
  const to = from + interval;
  const isAllowed = to - windowUs <= nowUs;
  const workedOffAtUs = isAllowed ? to : from;
  return { workedOffAtUs, verdict: toVerdict(isAllowed, workedOffAtUs - nowUs, perMinute) };
}

/** The verdict, from how far the time line is ahead of now after the decision. */
export function toVerdict(isAllowed: boolean, aheadUs: number, perMinute: number): RateVerdict {
  const interval = intervalUs(perMinute);
  const remainingUs = interval * perMinute - aheadUs;
  return {
    isAllowed,
    limit: perMinute,
    remaining: Math.max(0, Math.floor(remainingUs / interval)),
    retryAfterMs: Math.max(0, Math.ceil((interval - remainingUs) / 1000)),
    resetMs: Math.max(0, Math.ceil(aheadUs / 1000)),
  };
}
