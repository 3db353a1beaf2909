import { intervalUs, toVerdict, type RateLimiter } from '@weir/limits';
import type { Redis } from './client/create-redis';
import { runAlways, type Circuit } from './create-circuit';
import { createScript } from './client/create-script';

/**
 * `decideRate` of `@weir/limits`, on Redis' own clock, so that no host's clock matters. Microseconds stay below 2^53,
 * where Lua's numbers are exact.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local stored = tonumber(redis.call('GET', KEYS[1]) or '0')
local from = math.min(math.max(stored, now), now + window)
local to = from + interval
if to - window > now then return {0, from - now} end
redis.call('SET', KEYS[1], string.format('%.0f', to), 'PX', math.ceil((to - now) / 1000))
return {1, to - now}`;

/** Rates that all processes share. A member's time line is one key, gone when it is worked off. */
export function createRedisRateLimiter(redis: Redis, circuit: Circuit = runAlways): RateLimiter {
  const { run: take } = createScript(redis, TAKE);
  return {
    take: async (memberId, perMinute) => {
      const interval = intervalUs(perMinute);
      const answer = await circuit(() => take([`weir:rate:{${memberId}}`], [interval, interval * perMinute]), memberId);
      const [isAllowed, aheadUs] = answer as [number, number];
      return toVerdict(isAllowed === 1, aheadUs, perMinute);
    },
  };
}
