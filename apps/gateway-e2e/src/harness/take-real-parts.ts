import { getKafka, getPostgres, getRedis } from '@weir/testing';
import type { RealParts } from './start-distributed';

export type TakenParts = RealParts & { stop(): Promise<void> };

/** What services that run apart share, with a database no one has used. For suites that are skipped where it cannot be had. */
export async function takeRealParts(): Promise<TakenParts> {
  const [postgres, redis, kafka] = await Promise.all([getPostgres(), getRedis(), getKafka()]);
  if (redis === undefined || kafka === undefined) throw new Error('a real part is missing');
  return {
    databaseUrl: await postgres.createDatabase(),
    redisUrl: redis.url,
    brokers: kafka.brokers,
    stop: async () => {
      for (const part of [postgres, redis, kafka]) await part.stop();
    },
  };
}
