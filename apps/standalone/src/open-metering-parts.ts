import { createHoldTruth, createUsageStore, createUsageUpkeep, DEFAULT_USAGE_RETENTION } from '@weir/database';
import { providerTimeHeader } from '@weir/exchange';
import { nameInTraces } from '@weir/providers';
import { createMeteringMetrics, type Logger, type MetricsRegistry, type Tracing } from '@weir/telemetry';
import type { UsageStore } from '@weir/usage';
import { composeUsageAggregator, traceBatches, type UsageAggregator } from '@weir/usage-aggregator';
import { openObservedMetering, type ObservedMetering } from '@weir/meter';
import { join } from 'node:path';
import type { StandaloneEnv } from './env';
import type { DataParts } from './data-parts';
import { publishCounted } from './publish-counted';

const RECOVER_WITHIN_MS = 30_000;

/** The money path of one process: journal → bus → aggregator → rollups. */
export type MeteringParts = Omit<ObservedMetering, 'close'> & {
  readonly usageStore: UsageStore;
  close(): Promise<void>;
};

export async function openMeteringParts({ env, log, data, tracing }: AggregationParts, registry: MetricsRegistry): Promise<MeteringParts> {
  const { bus, watermarks, holdStore, freeModelDays } = data;
  const { usageStore, aggregator } = await openAggregation({ env, log, data, tracing }, registry);
  if (data.holdCircuit === null) await publishCounted(data);
  const observed = openObservedMetering({
    ...{ settings: env, registry, log, tracing, nameProvider: nameInTraces, providerTime: providerTimeHeader },
    directory: join(env.DATA_DIR, 'journal'),
    publisher: { publish: (events) => bus.publisher.publish(events) },
    stores: { watermarks, holdStore, freeModelDays },
    onFailure: () => process.exit(1),
  });
  const { metering } = observed;
  // Counters in memory start from Postgres: what the last process left has to be in there first.
  if (data.holdCircuit === null && !(await metering.drain(RECOVER_WITHIN_MS, 'aggregated'))) metering.reportHoldsAgain();
  return {
    ...observed,
    usageStore,
    close: async () => {
      await observed.close('aggregated');
      await aggregator.stop();
      await bus.publisher.close();
    },
  };
}

type AggregationParts = {
  readonly env: StandaloneEnv;
  readonly log: Logger;
  readonly data: DataParts;
  readonly tracing: Tracing | undefined;
};

/** What takes events from the bus and counts them. */
export async function openAggregation(
  { env, log, data, tracing }: AggregationParts,
  registry: MetricsRegistry,
): Promise<{ readonly usageStore: UsageStore; readonly aggregator: UsageAggregator }> {
  const { database, bus, watermarks, holdStore } = data;
  const metrics = createMeteringMetrics(registry);
  const usageStore = createUsageStore({ pool: database.pool, now: Date.now, log });
  const upkeep = createUsageUpkeep({
    pool: database.pool,
    now: Date.now,
    log,
    retention: { ...DEFAULT_USAGE_RETENTION, eventDays: env.USAGE_EVENT_RETENTION_DAYS, hourDays: env.USAGE_HOUR_RETENTION_DAYS },
  });
  const aggregator = composeUsageAggregator({
    consumer: bus.consumer,
    store: traceBatches(usageStore, tracing),
    upkeep,
    watermarks,
    metrics,
    now: Date.now,
    log,
    holds: { store: holdStore, truth: createHoldTruth(database.pool), checkEveryMs: env.HOLD_CHECK_MS },
  });
  await aggregator.start();
  return { usageStore, aggregator };
}
