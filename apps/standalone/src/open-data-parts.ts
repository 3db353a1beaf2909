import { createMemoryChangeNotices, type ChangeNotices } from '@weir/access';
import { createDatabase, migrateDatabase, type Database } from '@weir/database';
import { startEmbeddedPostgres } from '@weir/embedded-postgres';
import { createInProcessUsageBus, createKafkaUsageBus, type UsageBus } from '@weir/event-bus';
import { createRedis, createRedisChangeNotices, createRedisWatermarkStore } from '@weir/redis-stores';
import type { Logger } from '@weir/telemetry';
import { createMemoryWatermarkStore, type WatermarkStore } from '@weir/usage';
import { join } from 'node:path';
import type { StandaloneEnv } from './env';

/** The parts that keep or carry data: embedded ones, or real ones where the environment names them. */
export type DataParts = {
  readonly database: Database;
  readonly bus: UsageBus;
  readonly watermarks: WatermarkStore;
  readonly changeNotices: ChangeNotices;
  close(): Promise<void>;
};

export async function openDataParts(env: StandaloneEnv, log: Logger, tell: (step: string) => void): Promise<DataParts> {
  const postgres = await openPostgres(env, tell);
  tell('Bringing the database schema up to date …');
  await migrateDatabase({ url: postgres.url, log });
  const database = createDatabase({ url: postgres.url, poolMax: env.DATABASE_POOL_MAX, log });
  const shared = openShared(env, log);
  const bus =
    env.KAFKA_BROKERS === undefined
      ? createInProcessUsageBus({ log })
      : createKafkaUsageBus({ brokers: env.KAFKA_BROKERS, clientId: 'weir-standalone', log });
  return {
    database,
    bus,
    watermarks: shared.watermarks,
    changeNotices: shared.changeNotices,
    close: async () => {
      shared.close();
      await database.close();
      await postgres.stop();
    },
  };
}

async function openPostgres(env: StandaloneEnv, tell: (step: string) => void): Promise<{ url: string; stop(): Promise<void> }> {
  if (env.DATABASE_URL !== undefined) return { url: env.DATABASE_URL, stop: () => Promise.resolve() };
  tell('Starting Postgres …');
  return startEmbeddedPostgres({ directory: join(env.DATA_DIR, 'postgres'), log: tell });
}

function openShared(env: StandaloneEnv, log: Logger): Pick<DataParts, 'watermarks' | 'changeNotices'> & { close(): void } {
  if (env.REDIS_URL === undefined) {
    return { watermarks: createMemoryWatermarkStore(), changeNotices: createMemoryChangeNotices(), close: () => undefined };
  }
  const redis = createRedis(env.REDIS_URL, log);
  const subscriber = createRedis(env.REDIS_URL, log);
  return {
    watermarks: createRedisWatermarkStore(redis),
    changeNotices: createRedisChangeNotices(redis, subscriber),
    close: () => {
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}
