import { createCounterOwnerStore, createFreeSlotCounter, type Database } from '@weir/database';
import type { DirectoryLock } from '@weir/directory-lock';
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
import { shareCounters, waitForCounters } from '@weir/limits';
import { createCounterStoreMetrics, createRateMetrics, type Logger } from '@weir/telemetry';
import { createMemoryStores } from './create-memory-stores';
import type { StandaloneEnv } from './env';
import type { SharedParts } from './data-parts';
import { describeOwner, openCounterOwner } from './open-counters';

/** Counters that were just built anew are waited for, so that the first limited requests need not be refused. */
const COUNTERS_WITHIN_MS = 5_000;

/** Where Redis is given, that; this process' own memory otherwise. Rejects where others count the limits of the database elsewhere. */
export async function openShared(env: StandaloneEnv, database: Database, log: Logger, lock?: DirectoryLock): Promise<SharedParts> {
  const countSlots = createFreeSlotCounter(database.pool);
  const store = createCounterOwnerStore(database.pool);
  const { COUNTERS_OWNER_WAIT_MS: waitMs } = env;
  if (env.REDIS_URL === undefined) {
    const counters = openCounterOwner(env, { store, log, lock });
    await waitForCounters({ take: () => counters.take(), waitMs, log });
    const { holds: holdStore, ...stores } = createMemoryStores(env, { countSlots, check: () => counters.check() });
    return { ...stores, holdStore, holdCircuit: null, counters, showIn: () => undefined, close: () => counters.release() };
  }
  const stopSharing = await shareCounters({ ...describeOwner(), store, log }, waitMs);
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
    counters: undefined,
    showIn: (registry) => {
      shown.onEnded = createCounterStoreMetrics(registry);
      shown.decidedHere = createRateMetrics(registry).decidedHere;
    },
    close: async () => {
      await stopSharing();
      holdStore.close();
      await limits.close();
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}
