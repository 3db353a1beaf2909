import { createFreeSlotCounter, type Database } from '@weir/database';
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
} from '@weir/redis-stores';
import { createCounterStoreMetrics, createRateMetrics, type Logger } from '@weir/telemetry';
import { createMemoryStores } from './create-memory-stores';
import type { StandaloneEnv } from './env';
import type { SharedParts } from './data-parts';

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
