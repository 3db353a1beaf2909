import type { ChangeNotices, ProcessReports, ReplyCache } from '@weir/access';
import { createDatabase, createFreeSlotCounter, migrateDatabase, type Database } from '@weir/database';
import { startEmbeddedPostgres } from '@weir/embedded-postgres';
import { createInProcessUsageBus, createKafkaUsageBus, type UsageBus } from '@weir/event-bus';
import type { FreeModelDays, HoldStore, RateLimiter } from '@weir/limits';
import {
  createCircuit,
  createRedis,
  createRedisChangeNotices,
  createRedisHoldStore,
  createRedisProcessReports,
  createRedisReplyCache,
  createRedisWatermarkStore,
  isCluster,
  openRedisLimits,
  type Circuit,
} from '@weir/redis-stores';
import { createCounterStoreMetrics, createRateMetrics, type Logger, type MetricsRegistry } from '@weir/telemetry';
import type { WatermarkStore } from '@weir/usage';
import { join } from 'node:path';
import { createMemoryStores } from './create-memory-stores';
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
  /** What processes that call providers report of them. */
  readonly processReports: ProcessReports;
  readonly holdStore: HoldStore;
  /** Null where holds are kept in memory. */
  readonly holdCircuit: Circuit | null;
  /** Shows in metrics how shared counters reply; nothing where they are in memory. */
  showIn(registry: MetricsRegistry): void;
  close(): Promise<void>;
};

/** What a process needs that only reads the database and shares what counts: no bus. */
export type ServingData = Omit<DataParts, 'bus'>;

/** What processes share, where each of several opens it. */
export type SharedParts = Omit<ServingData, 'database'>;

type DataOptions = {
  readonly report: (step: string) => void;
  /** Where the embedded Postgres is to listen, if it has to be started; absent: anywhere. */
  readonly postgresPort?: number | undefined;
  /** Absent: Redis where the environment names one, this process otherwise. */
  readonly openShared?: (env: StandaloneEnv, database: Database, log: Logger) => Promise<SharedParts>;
};

export async function openDataParts(env: StandaloneEnv, log: Logger, options: DataOptions): Promise<DataParts & { readonly url: string }> {
  const { report, openShared: open = openShared } = options;
  const postgres = await openPostgres(env, options);
  report('Bringing the database schema up to date …');
  await migrateDatabase({ url: postgres.url, log });
  const database = createDatabase({ url: postgres.url, poolMax: env.DATABASE_POOL_MAX, log });
  const shared = await open(env, database, log);
  const bus =
    env.KAFKA_BROKERS === undefined
      ? createInProcessUsageBus({ log })
      : createKafkaUsageBus({ brokers: env.KAFKA_BROKERS, envelope: env.USAGE_EVENT_ENVELOPE, clientId: 'weir-standalone', log });
  return {
    ...shared,
    url: postgres.url,
    database,
    bus,
    close: async () => {
      await shared.close();
      await database.close();
      await postgres.stop();
    },
  };
}

async function openPostgres(
  env: StandaloneEnv,
  { report, postgresPort = 0 }: DataOptions,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (env.DATABASE_URL !== undefined) return { url: env.DATABASE_URL, stop: () => Promise.resolve() };
  report('Starting Postgres …');
  return startEmbeddedPostgres({ directory: join(env.DATA_DIR, 'postgres'), port: postgresPort, log: report });
}

/** Counters that were just built anew are waited for, so that the first limited requests need not be refused. */
const COUNTERS_WITHIN_MS = 5_000;

/** Where Redis is given, that; this process' own memory otherwise. */
export async function openShared(env: StandaloneEnv, { pool }: Database, log: Logger): Promise<SharedParts> {
  const countSlots = createFreeSlotCounter(pool);
  if (env.REDIS_URL === undefined) {
    const { holds: holdStore, ...stores } = createMemoryStores(env, countSlots);
    return { ...stores, holdStore, holdCircuit: null, showIn: () => undefined, close: () => Promise.resolve() };
  }
  const redis = createRedis(env.REDIS_URL, log);
  const subscriber = createRedis(env.REDIS_URL, log);
  const shown: { onEnded?: ReturnType<typeof createCounterStoreMetrics>; decidedHere?: () => void } = {};
  const onEnded: NonNullable<typeof shown.onEnded> = (end, milliseconds) => shown.onEnded?.(end, milliseconds);
  const circuit = createCircuit({ timeoutMs: env.LIMITS_TIMEOUT_MS, now: () => performance.now(), isApart: isCluster(redis), onEnded });
  const limits = await openRedisLimits({
    ...{ redis, circuit, countSlots, placesKeptMs: env.HOLD_TTL_MS, log },
    onFallback: () => shown.decidedHere?.(),
  });
  const holdStore = createRedisHoldStore(redis, log);
  await holdStore.whenTrusted(COUNTERS_WITHIN_MS);
  return {
    watermarks: createRedisWatermarkStore(redis),
    changeNotices: createRedisChangeNotices(redis, subscriber),
    rates: limits.rates,
    freeModelDays: limits.freeModelDays,
    processReports: createRedisProcessReports(redis),
    replyCache: createRedisReplyCache(redis, { bytesMax: env.RESPONSE_CACHE_BYTES_MAX }),
    holdStore,
    holdCircuit: circuit,
    showIn: (registry) => {
      shown.onEnded = createCounterStoreMetrics(registry);
      shown.decidedHere = createRateMetrics(registry).decidedHere;
    },
    close: async () => {
      holdStore.close();
      await limits.close();
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}
