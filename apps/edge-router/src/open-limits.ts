import { createCounterOwnerStore, createFreeSlotCounter, createHoldTruth, type Database } from '@weir/database';
import { shareCounters } from '@weir/limits';
import { createCircuit, createRedisHoldStore, isCluster, openRedisLimits, type Redis } from '@weir/redis-stores';
import { createCounterStoreMetrics, createHoldMetrics, createRateMetrics, type Logger, type MetricsRegistry } from '@weir/telemetry';
import { hostname } from 'node:os';
import type { z } from 'zod';
import type { EdgeRouterParts } from './compose';
import type { edgeRouterEnv } from './env';

type OpenLimits = Pick<EdgeRouterParts, 'rates' | 'freeModelDays' | 'holds'> & { close(): Promise<void> };

type LimitSources = {
  readonly env: z.infer<typeof edgeRouterEnv>;
  readonly redis: Redis;
  readonly database: Database;
  readonly registry: MetricsRegistry;
  readonly log: Logger;
};

/** Counters that were just built anew are waited for, so that the first limited requests need not be refused. */
const COUNTERS_WITHIN_MS = 5_000;

/** Everything that limits requests, shared with all other edges over Redis. */
export async function openLimits({ env, redis, database, registry, log }: LimitSources): Promise<OpenLimits> {
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  const stopSharing = await shareCounters(
    { store: createCounterOwnerStore(database.pool), holder, isGone: () => false, log },
    env.COUNTERS_OWNER_WAIT_MS,
  );
  const onEnded = createCounterStoreMetrics(registry);
  const circuit = createCircuit({ timeoutMs: env.LIMITS_TIMEOUT_MS, now: () => performance.now(), isApart: isCluster(redis), onEnded });
  const countSlots = createFreeSlotCounter(database.pool);
  const limits = await openRedisLimits({
    ...{ redis, circuit, countSlots, placesKeptMs: env.HOLD_TTL_MS, log },
    onFallback: createRateMetrics(registry).decidedHere,
  });
  const store = createRedisHoldStore(redis, log);
  await store.whenTrusted(COUNTERS_WITHIN_MS);
  return {
    rates: limits.rates,
    freeModelDays: limits.freeModelDays,
    holds: {
      store,
      truth: createHoldTruth(database.pool),
      policy: { isBalanceRequired: env.BALANCE_REQUIRED },
      ttlMs: env.HOLD_TTL_MS,
      circuit,
      count: createHoldMetrics(registry).count,
    },
    close: async () => {
      await stopSharing();
      store.close();
      await limits.close();
    },
  };
}
