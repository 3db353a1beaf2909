import { decideRate } from './decide-rate';
import type { RateLimiter } from './rate-limiter';

type MemoryRateLimiterOptions = {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Members remembered before those without open requests are forgotten. */
  readonly membersMax?: number;
};

/** The adapter for one process. */
export function createMemoryRateLimiter({ now, membersMax = 10_000 }: MemoryRateLimiterOptions): RateLimiter {
  const workedOffAt = new Map<string, number>();

  const forgetIdle = (nowUs: number): void => {
    for (const [member, at] of workedOffAt) if (at <= nowUs) workedOffAt.delete(member);
  };

  return {
    take: (memberId, perMinute) => {
      const nowUs = Math.floor(now() * 1000);
      const { workedOffAtUs, verdict } = decideRate(workedOffAt.get(memberId) ?? nowUs, nowUs, perMinute);
      if (!workedOffAt.has(memberId) && workedOffAt.size >= membersMax) forgetIdle(nowUs);
      workedOffAt.set(memberId, workedOffAtUs);
      return Promise.resolve(verdict);
    },
  };
}
