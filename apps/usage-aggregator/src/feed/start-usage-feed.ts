import { createClickHouse, createUsageFeeder } from '@weir/clickhouse';
import { readClickHouseOptions } from '@weir/config';
import { createUsageFeed, type Database } from '@weir/database';
import { repeatTasks, type RunningTasks } from '@weir/http-server';
import { createUsageFeedMetrics, type MetricsRegistry } from '@weir/telemetry';
import type { AggregatorLog } from '../aggregator-log';

type FeedSettings = Parameters<typeof readClickHouseOptions>[0] & { readonly CLICKHOUSE_MAKE_TABLES: boolean };

type FeedParts = {
  readonly settings: FeedSettings;
  readonly database: Pick<Database, 'pool'>;
  readonly registry: MetricsRegistry;
  readonly log: AggregatorLog & { error(about: object, message: string): void };
};

const EVERY_MS = 1_000;

/**
 * Starts what brings counted usage to the columnar store; nothing where the settings name none. Any number of processes may:
 * one of them feeds at a time. Counting never waits for it.
 */
export function startUsageFeed({ settings, database: { pool }, registry, log }: FeedParts): RunningTasks {
  const options = readClickHouseOptions(settings);
  if (options === undefined) return { stop: () => Promise.resolve() };
  const clickhouse = createClickHouse(options);
  const feed = createUsageFeed({ pool, now: Date.now });
  const feeder = createUsageFeeder({
    ...{ clickhouse, feed, now: Date.now, log },
    metrics: createUsageFeedMetrics(registry, Date.now),
    retentionDays: options.retentionDays,
    makesTables: settings.CLICKHOUSE_MAKE_TABLES,
  });
  const tasks = repeatTasks([{ name: 'feeding of ClickHouse', everyMs: EVERY_MS, run: feeder.feedOnce }], log);
  return {
    stop: async () => {
      await tasks.stop();
      await feed.release().catch(() => undefined); // it ends by itself
      await clickhouse.close();
    },
  };
}
