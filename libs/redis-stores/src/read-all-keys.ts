import type { Redis } from 'ioredis';

/** Everything a Redis holds, as one text for each key with its name. For tests and inspection: keeps all in memory. */
export async function readAllKeys(redis: Redis): Promise<string[]> {
  const keys = await redis.keys('*');
  return Promise.all(keys.map(async (key) => `${key} ${JSON.stringify(await readKey(redis, key))}`));
}

async function readKey(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return (await redis.getBuffer(key))?.toString('latin1');
    case 'hash':
      return redis.hgetall(key);
    case 'zset':
      return redis.zrange(key, '0', '-1', 'WITHSCORES');
    case 'set':
      return redis.smembers(key);
    case 'list':
      return redis.lrange(key, '0', '-1');
    default:
      return (await redis.dump(key)) ?? null;
  }
}
