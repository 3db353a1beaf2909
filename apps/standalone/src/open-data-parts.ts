import { createMemoryChangeNotices, createMemoryReplyCache, type ChangeNotices, type ReplyCache } from '@weir/access';
import { createDatabase, createFreeSlotCounter, migrateDatabase, type Database } from '@weir/database';
import { startEmbeddedPostgres } from '@weir/embedded-postgres';
import { createInProcessUsageBus, createKafkaUsageBus, type UsageBus } from '@weir/event-bus';
import {
  createMemoryFreeModelDays,
  createMemoryHoldStore,
  createMemoryRateLimiter,
  type FreeModelDays,
  type HoldStore,
  type RateLimiter,
} from '@weir/limits';
import {
  createCircuit,
  createRedis,
  createRedisChangeNotices,
  createRedisHoldStore,
  createRedisReplyCache,
  createRedisWatermarkStore,
  openRedisLimits,
  type Circuit,
} from '@weir/redis-stores';
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
  readonly rates: RateLimiter;
  readonly freeModelDays: FreeModelDays;
  readonly replyCache: ReplyCache;
  readonly holdStore: HoldStore;
  /** Null where holds are kept in memory. */
  readonly holdCircuit: Circuit | null;
  close(): Promise<void>;
};

export async function openDataParts(env: StandaloneEnv, log: Logger, report: (step: string) => void): Promise<DataParts> {
  const postgres = await openPostgres(env, report);
  report('Bringing the database schema up to date …');
  await migrateDatabase({ url: postgres.url, log });
  const database = createDatabase({ url: postgres.url, poolMax: env.DATABASE_POOL_MAX, log });
  const shared = await openShared(env, database, log);
  const bus =
    env.KAFKA_BROKERS === undefined
      ? createInProcessUsageBus({ log })
      : createKafkaUsageBus({ brokers: env.KAFKA_BROKERS, clientId: 'weir-standalone', log });
  return {
    database,
    bus,
    watermarks: shared.watermarks,
    changeNotices: shared.changeNotices,
    rates: shared.rates,
    freeModelDays: shared.freeModelDays,
    replyCache: shared.replyCache,
    holdStore: shared.holdStore,
    holdCircuit: shared.holdCircuit,
    close: async () => {
      await shared.close();
      await database.close();
      await postgres.stop();
    },
  };
}

async function openPostgres(env: StandaloneEnv, report: (step: string) => void): Promise<{ url: string; stop(): Promise<void> }> {
  if (env.DATABASE_URL !== undefined) return { url: env.DATABASE_URL, stop: () => Promise.resolve() };
  report('Starting Postgres …');
  return startEmbeddedPostgres({ directory: join(env.DATA_DIR, 'postgres'), log: report });
}

type SharedParts = Omit<DataParts, 'database' | 'bus'>;

/** Counters that were just built anew are waited for, so that the first limited requests need not be refused. */
const COUNTERS_WITHIN_MS = 5_000;

async function openShared(env: StandaloneEnv, { pool }: Database, log: Logger): Promise<SharedParts> {
  const countSlots = createFreeSlotCounter(pool);
  if (env.REDIS_URL === undefined) {
    return {
      watermarks: createMemoryWatermarkStore(),
      changeNotices: createMemoryChangeNotices(),
      rates: createMemoryRateLimiter({ now: () => performance.now() }),
      freeModelDays: createMemoryFreeModelDays({ countSlots, keptMs: env.HOLD_TTL_MS, now: () => performance.now() }),
      replyCache: createMemoryReplyCache({ bytesMax: env.RESPONSE_CACHE_BYTES_MAX, now: Date.now }),
      holdStore: createMemoryHoldStore({ now: Date.now }),
      holdCircuit: null,
      close: () => Promise.resolve(),
    };
  }
  const redis = createRedis(env.REDIS_URL, log);
  const subscriber = createRedis(env.REDIS_URL, log);
  const circuit = createCircuit({ timeoutMs: env.LIMITS_TIMEOUT_MS, now: () => performance.now() });
  const limits = await openRedisLimits({
    ...{ redis, circuit, countSlots, placesKeptMs: env.HOLD_TTL_MS, log },
    onFallback: () => undefined,
  });
  const holdStore = createRedisHoldStore(redis, log);
  await holdStore.whenTrusted(COUNTERS_WITHIN_MS);
  return {
    watermarks: createRedisWatermarkStore(redis),
    changeNotices: createRedisChangeNotices(redis, subscriber),
    rates: limits.rates,
    freeModelDays: limits.freeModelDays,
    replyCache: createRedisReplyCache(redis, { bytesMax: env.RESPONSE_CACHE_BYTES_MAX }),
    holdStore,
    holdCircuit: circuit,
    close: async () => {
      holdStore.close();
      await limits.close();
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}
