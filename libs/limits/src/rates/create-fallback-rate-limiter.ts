import { createMemoryRateLimiter } from './create-memory-rate-limiter';
import type { RateLimiter, RateVerdict } from './rate-limiter';

type FallbackRateLimiterOptions = {
  /** Rejects, soon, when its store cannot be reached. */
  readonly shared: RateLimiter;
  /** How many routers there were when the store was last heard of. */
  readonly liveRouters: () => number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Called for each request that was decided without the shared store. */
  readonly onFallback: () => void;
};

/**
 * Goes on limiting while the shared store is away: each router then allows its part of the rate, at least one request a
 * minute. The parts of all routers together are the rate, unless it is lower than their number.
 */
export function createFallbackRateLimiter({ shared, liveRouters, now, onFallback }: FallbackRateLimiterOptions): RateLimiter {
  const local = createMemoryRateLimiter({ now });
  const takeHere = async (memberId: string, perMinute: number): Promise<RateVerdict> => {
    onFallback();
    const verdict = await local.take(memberId, Math.max(1, Math.floor(perMinute / Math.max(1, liveRouters()))));
    return { ...verdict, limit: perMinute };
  };
  return {
    take: (memberId, perMinute) => shared.take(memberId, perMinute).catch(() => takeHere(memberId, perMinute)),
  };
}
