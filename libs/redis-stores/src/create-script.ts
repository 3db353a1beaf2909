import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

type RunScript = (keys: readonly string[], values: readonly (string | number | Buffer)[]) => Promise<unknown>;

/** A Lua script by its digest; its text is sent only to a server that does not know it. */
export function createScript(redis: Redis, text: string): RunScript {
  const digest = createHash('sha1').update(text).digest('hex');
  return async (keys, values) => {
    try {
      return await redis.evalsha(digest, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(text, keys.length, ...keys, ...values);
    }
  };
}
