import { createDatabase, createUsageStore, type Database } from '@weir/database';
import { createMetricsRegistry } from '@weir/telemetry';
import {
  describeWithRealParts,
  getClickHouse,
  getPostgres,
  makeUsageEvent,
  sequenceEvents,
  waitUntil,
  type RealClickHouse,
} from '@weir/testing';
import { randomUUID } from 'node:crypto';
import { startUsageFeed } from './start-usage-feed';

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const NONE = {
  CLICKHOUSE_DATABASE: 'weir',
  CLICKHOUSE_USER: 'default',
  CLICKHOUSE_PASSWORD: '',
  CLICKHOUSE_RETENTION_DAYS: 3650,
  CLICKHOUSE_MAKE_TABLES: true,
};

describeWithRealParts(['clickhouse', 'postgres'], 'feeding of ClickHouse beside counting', () => {
  let engine: RealClickHouse;
  let database: Database;
  let stopPostgres: () => Promise<void>;
  beforeAll(async () => {
    const [clickhouse, postgres] = await Promise.all([getClickHouse(), getPostgres()]);
    engine = clickhouse;
    stopPostgres = () => postgres.stop();
    database = createDatabase({ url: await postgres.createDatabase() });
    const store = createUsageStore({ pool: database.pool, now: Date.now });
    await store.applyBatch(sequenceEvents(randomUUID(), [makeUsageEvent({ admitted_at: Date.now() })]), null);
  }, 300_000);
  afterAll(async () => {
    await database.close();
    await Promise.all([engine.stop(), stopPostgres()]);
  });

  const fedRows = async (): Promise<number> => (await database.pool.query('SELECT FROM usage_feed')).rowCount ?? 0;

  test('nothing is done where the settings name none', async () => {
    const registry = createMetricsRegistry();
    await startUsageFeed({ settings: NONE, database, registry, log: LOG }).stop();
    expect(await fedRows()).toBe(0);
    expect(await registry.metrics()).not.toContain('weir_usage_feed');
  });

  test('what was counted comes within seconds, and metrics show it', async () => {
    const registry = createMetricsRegistry();
    const settings = { ...NONE, CLICKHOUSE_URL: engine.url, CLICKHOUSE_DATABASE: await engine.createDatabase() };
    const feed = startUsageFeed({ settings, database, registry, log: LOG });
    await waitUntil('an event', async () => (await registry.metrics()).includes('weir_usage_feed_events_total 1'));
    await waitUntil('the end of the pass', async () => (await registry.metrics()).includes('weir_usage_feed_lag_seconds 0'));
    await feed.stop();
    expect(await registry.metrics()).toContain('weir_usage_feed_failures_total 0');
    const { rows } = await database.pool.query('SELECT leased_by FROM usage_feed WHERE fed_as_of IS NOT NULL');
    expect(rows).toEqual([{ leased_by: null }]);
  });
});
