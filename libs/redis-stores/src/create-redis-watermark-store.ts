import type { WatermarkStore } from '@weir/usage';
import type { Redis } from './client/create-redis';

/** One hash for all writers: writer id → sequence in decimal. */
const KEY = 'weir:watermarks';

/**
 * Raises watermarks and never lowers one, since aggregators may report out of order. Sequences are compared as decimal
 * text: Lua's numbers are doubles, which are wrong above 2^53.
 */
const RAISE = `
for i = 1, #ARGV, 2 do
  local current = redis.call('HGET', KEYS[1], ARGV[i])
  local offered = ARGV[i + 1]
  if (not current) or #offered > #current or (#offered == #current and offered > current) then
    redis.call('HSET', KEYS[1], ARGV[i], offered)
  end
end
return 1`;

export function createRedisWatermarkStore(redis: Redis): WatermarkStore {
  return {
    publish: async (watermarks) => {
      if (watermarks.size === 0) return;
      const pairs = [...watermarks].flatMap(([writerId, sequence]) => [writerId, sequence.toString()]);
      await redis.eval(RAISE, 1, KEY, ...pairs);
    },
    read: async (writerId) => {
      const stored = await redis.hget(KEY, writerId);
      return stored === null ? undefined : BigInt(stored);
    },
  };
}
