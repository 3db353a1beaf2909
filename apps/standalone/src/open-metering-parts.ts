import { createHoldTruth, createUsageStore, createUsageUpkeep, DEFAULT_USAGE_RETENTION } from '@weir/database';
import {
  createAttemptMetrics,
  createMeteringMetrics,
  registerJournalMetrics,
  type Logger,
  type MetricsRegistry,
  type Tracing,
} from '@weir/telemetry';
import type { UsageStore } from '@weir/usage';
import { composeUsageAggregator } from '@weir/usage-aggregator';
import { createAttemptObserver, openMetering, type AttemptObserver, type Metering } from '@weir/usage-journal';
import { join } from 'node:path';
import type { StandaloneEnv } from './env';
import type { DataParts } from './open-data-parts';

const SHIP_ON_STOP_MS = 10_000;
const RECOVER_WITHIN_MS = 30_000;

/** The money path of one process: journal → bus → aggregator → rollups. */
export type MeteringParts = {
  /** Its till is watched by `attempts`. */
  readonly metering: Metering;
  readonly attempts: AttemptObserver;
  readonly usageStore: UsageStore;
  close(): Promise<void>;
};

export async function openMeteringParts(
  { env, log, data, tracing }: { env: StandaloneEnv; log: Logger; data: DataParts; tracing: Tracing | undefined },
  registry: MetricsRegistry,
): Promise<MeteringParts> {
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
    store: usageStore,
    upkeep,
    watermarks,
    metrics,
    now: Date.now,
    log,
    holds: { store: holdStore, truth: createHoldTruth(database.pool) },
  });
  await aggregator.start();
  const metering = openMetering({
    directory: join(env.DATA_DIR, 'journal'),
    durability: env.USAGE_DURABILITY,
    bytesMax: env.JOURNAL_BYTES_MAX,
    segmentBytesMax: env.JOURNAL_SEGMENT_BYTES,
    resendAfterMs: env.JOURNAL_RESEND_AFTER_MS,
    publish: (events) => bus.publisher.publish(events),
    watermarks,
    log,
    onLost: metrics.gap,
    onFailure: () => process.exit(1),
    holds: { store: holdStore, ttlMs: env.HOLD_TTL_MS },
  });
  // Counters in memory start from Postgres: what the last process left has to be in there first.
  if (data.holdCircuit === null && !(await metering.drain(RECOVER_WITHIN_MS, 'aggregated'))) metering.tellHoldsAgain();
  registerJournalMetrics(registry, metering.read);
  const observed = { till: metering.till, metrics: createAttemptMetrics(registry), tracing, isTracingProviders: env.TRACE_PROVIDERS };
  const attempts = createAttemptObserver(observed);
  return {
    metering: { ...metering, till: attempts.till },
    attempts,
    usageStore,
    close: async () => {
      await metering.drain(SHIP_ON_STOP_MS, 'aggregated');
      await metering.close();
      await aggregator.stop();
      await bus.publisher.close();
    },
  };
}
