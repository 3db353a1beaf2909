/** The commands of a Redis client that read keys of every type. */
type Redis = {
  keys(pattern: string): Promise<string[]>;
  type(key: string): Promise<string>;
  getBuffer(key: string): Promise<Buffer | null>;
  hgetall(key: string): Promise<Record<string, string>>;
  zrange(key: string, start: string, stop: string, withScores: 'WITHSCORES'): Promise<string[]>;
  smembers(key: string): Promise<string[]>;
  lrange(key: string, start: string, stop: string): Promise<string[]>;
  dump(key: string): Promise<string | Buffer | null>;
};

/** Everything a Redis holds, as one text for each key with its name. */
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
