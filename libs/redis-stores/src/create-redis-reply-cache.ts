import type { ReplyCache } from '@weir/access';
import { isCluster, type Redis } from './client/create-redis';
import { createScript, slotOf } from './client/create-script';

/** In a cluster so many parts share the replies, and what they may take, so that not all of them are on one node. */
const PARTS = 16;

/** Of one slot, so that the script may reach all of them in a cluster. */
function prefixOf(redis: Redis, name: string): string {
  return isCluster(redis) ? `{weir:replies:${slotOf(name) % PARTS}}:` : '{weir:replies}:';
}

/**
 * Keeps a reply and its size. What is out of time goes first, then what would end soonest, until the new one fits: this
 * Redis evicts nothing by itself, because limits are kept in it as well.
 */
const KEEP = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function drop(name)
  local size = redis.call('HGET', KEYS[2], name)
  if size then redis.call('DECRBY', KEYS[3], size) end
  redis.call('HDEL', KEYS[2], name)
  redis.call('ZREM', KEYS[1], name)
  redis.call('DEL', ARGV[5] .. name)
end
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 100)) do drop(name) end
drop(ARGV[1])
local size = string.len(ARGV[2])
local most = tonumber(ARGV[4])
if size > most then return 0 end
while tonumber(redis.call('GET', KEYS[3]) or 0) + size > most do
  local soonest = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
  if not soonest then break end
  drop(soonest)
end
redis.call('SET', ARGV[5] .. ARGV[1], ARGV[2], 'PX', ARGV[3])
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], size)
redis.call('INCRBY', KEYS[3], size)
return 1`;

/** Replies that all processes share. `bytesMax` bounds all of them together; in a cluster its sixteenth bounds the largest. */
export function createRedisReplyCache(redis: Redis, { bytesMax }: { readonly bytesMax: number }): ReplyCache {
  const { run } = createScript(redis, KEEP);
  const ownMax = isCluster(redis) ? Math.floor(bytesMax / PARTS) : bytesMax;
  return {
    find: async (name) => (await redis.getBuffer(prefixOf(redis, name) + name)) ?? undefined,
    keep: async (name, sealed, ttlMs) => {
      const prefix = prefixOf(redis, name);
      const keys = ['ends', 'sizes', 'total'].map((word) => prefix + word);
      await run(keys, [name, Buffer.from(sealed), ttlMs, ownMax, prefix]);
    },
  };
}
