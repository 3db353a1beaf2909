import { createClickHouse, createColumnarReader, preferColumnar } from '@weir/clickhouse';
import { readClickHouseOptions } from '@weir/config';
import { createQueryQueue, createUsageReference, type Database } from '@weir/database';
import { createUsageReadCounter, type MetricsRegistry } from '@weir/telemetry';
import type { UsageStore } from '@weir/usage';

type UsageStoreParts = {
  readonly settings: Parameters<typeof readClickHouseOptions>[0];
  /** The one of Postgres. */
  readonly store: UsageStore;
  readonly database: Pick<Database, 'pool'>;
  readonly registry: MetricsRegistry;
  readonly log: { warn(about: object, message: string): void };
};

/** As in Postgres. */
const QUERIES_PER_ORGANIZATION = { runningMax: 4, waitingMax: 32 };

/** The store that questions about usage are read from, as `USAGE_STORE` says. */
export function openUsageStore({ settings, store, database: { pool }, registry, log }: UsageStoreParts): UsageStore {
  const options = readClickHouseOptions(settings);
  if (options === undefined || settings.USAGE_STORE !== 'clickhouse') return store;
  const clickhouse = createClickHouse(options);
  const reader = createColumnarReader({
    ...{ clickhouse, reference: createUsageReference(pool), now: Date.now },
    retentionDays: options.retentionDays,
  });
  const queue = createQueryQueue(QUERIES_PER_ORGANIZATION);
  return preferColumnar({
    ...{ store, reader, log },
    inTurn: async (organizationId, ask) => {
      const permit = await queue.acquire(organizationId);
      try {
        return await ask();
      } finally {
        permit.release();
      }
    },
    onRead: createUsageReadCounter(registry),
  });
}
