import { isConcurrent, limitScopeExpiry, measureOfScope, parseLimitScope, type PlannedLimit } from '@weir/limits';

/** Requests between two looks at what has expired. */
const SWEEP_EVERY = 50_000;

/** A request as counters take it: what it used, and from when to when it ran. */
export type CountedRequest = { readonly amount: bigint; readonly admittedAtMs: number; readonly endedAtMs: number };

/** The counters of one limit, as they would have stood. */
export type LimitCounters = {
  /** What was used, or runs, when a request is admitted. */
  read(limit: PlannedLimit, atMs: number): bigint;
  add(limit: PlannedLimit, request: CountedRequest): void;
};

export function createLimitCounters(): LimitCounters {
  const used = new Map<string, bigint>();
  /** Ends of the requests that run, by scope. */
  const running = new Map<string, number[]>();
  let untilSweep = SWEEP_EVERY;

  const sweep = (atMs: number): void => {
    untilSweep = SWEEP_EVERY;
    for (const scope of used.keys()) if (hasExpired(scope, atMs)) used.delete(scope);
    for (const [scope, known] of running) if (known.every((endMs) => endMs <= atMs)) running.delete(scope);
  };

  const ends = (scope: string): number[] => {
    const known = running.get(scope) ?? [];
    running.set(scope, known);
    return known;
  };

  return {
    read: ({ scope, past = [] }, atMs) => {
      if (!isOfMoment(scope)) return past.reduce((sum, name) => sum + (used.get(name) ?? 0n), used.get(scope) ?? 0n);
      const still = ends(scope).filter((endMs) => endMs > atMs);
      running.set(scope, still);
      return BigInt(still.length);
    },
    add: ({ scope }, { amount, admittedAtMs, endedAtMs }) => {
      untilSweep -= 1;
      if (untilSweep === 0) sweep(admittedAtMs);
      if (!isOfMoment(scope)) used.set(scope, (used.get(scope) ?? 0n) + amount);
      else ends(scope).push(endedAtMs);
    },
  };
}

function isOfMoment(scope: string): boolean {
  return isConcurrent(measureOfScope(scope));
}

function hasExpired(scope: string, atMs: number): boolean {
  const parts = parseLimitScope(scope);
  const expiry = parts === undefined ? null : limitScopeExpiry(parts);
  return expiry !== null && expiry <= atMs;
}
