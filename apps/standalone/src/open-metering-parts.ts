import { openMetering, type Metering } from '@weir/chat-translator';
import { createUsageStore } from '@weir/database';
import { createMeteringMetrics, type Logger, type MetricsRegistry } from '@weir/telemetry';
import type { UsageStore } from '@weir/usage';
import { composeUsageAggregator } from '@weir/usage-aggregator';
import { join } from 'node:path';
import type { StandaloneEnv } from './env';
import type { DataParts } from './open-data-parts';

const SHIP_ON_STOP_MS = 10_000;

/** The money path of one process: journal → bus → aggregator → rollups. */
export type MeteringParts = { readonly metering: Metering; readonly usageStore: UsageStore; close(): Promise<void> };

export async function openMeteringParts(
  { env, log, data }: { env: StandaloneEnv; log: Logger; data: DataParts },
  registry: MetricsRegistry,
): Promise<MeteringParts> {
  const { database, bus, watermarks } = data;
  const metrics = createMeteringMetrics(registry);
  const usageStore = createUsageStore({ pool: database.pool, now: Date.now, log });
  const aggregator = composeUsageAggregator({ consumer: bus.consumer, store: usageStore, watermarks, metrics, now: Date.now, log });
  await aggregator.start();
  const metering = openMetering({
    directory: join(env.DATA_DIR, 'journal'),
    durability: env.USAGE_DURABILITY,
    bytesMax: env.JOURNAL_BYTES_MAX,
    publish: (events) => bus.publisher.publish(events),
    watermarks,
    log,
    onLost: metrics.gap,
    onFailure: () => process.exit(1),
  });
  return {
    metering,
    usageStore,
    close: async () => {
      await metering.drain(SHIP_ON_STOP_MS, 'aggregated');
      await metering.close();
      await aggregator.stop();
      await bus.publisher.close();
    },
  };
}
