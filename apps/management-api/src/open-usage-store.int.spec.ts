import { createClickHouse, createUsageFeeder } from '@weir/clickhouse';
import { createDatabase, createUsageFeed, createUsageStore } from '@weir/database';
import { createMetricsRegistry } from '@weir/telemetry';
import { describeWithRealParts, getClickHouse, getPostgres, makeUsageEvent, ORGANIZATION_ID, sequenceEvents } from '@weir/testing';
import { parseUsageQuery } from '@weir/usage';
import { randomUUID } from 'node:crypto';
import { openUsageStore } from './open-usage-store';

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const METRICS = {
  fed: () => undefined,
  complete: () => undefined,
  failed: () => undefined,
  differing: () => undefined,
  rewritten: () => undefined,
};

describeWithRealParts(['clickhouse', 'postgres'], 'the store that questions about usage are read from', () => {
  test('is Postgres unless the settings say otherwise; then ClickHouse replies with the same, and metrics say so', async () => {
    const [engine, postgres] = await Promise.all([getClickHouse(), getPostgres()]);
    const database = createDatabase({ url: await postgres.createDatabase() });
    const store = createUsageStore({ pool: database.pool, now: Date.now });
    const registry = createMetricsRegistry();
    const place = { database: await engine.createDatabase(), user: 'default', password: '' };
    const names = { CLICKHOUSE_DATABASE: place.database, CLICKHOUSE_USER: place.user, CLICKHOUSE_PASSWORD: place.password };
    const settings = { ...names, CLICKHOUSE_URL: engine.url, CLICKHOUSE_RETENTION_DAYS: 3650, USAGE_STORE: 'postgres' as const };
    expect(openUsageStore({ settings, store, database, registry, log: LOG })).toBe(store);
    const chosen = openUsageStore({ settings: { ...settings, USAGE_STORE: 'clickhouse' }, store, database, registry, log: LOG });
    const clickhouse = createClickHouse({ url: engine.url, ...place });
    const feed = createUsageFeed({ pool: database.pool, now: Date.now });
    const feeder = createUsageFeeder({
      clickhouse,
      feed,
      now: Date.now,
      log: LOG,
      metrics: METRICS,
      retentionDays: 3650,
      makesTables: true,
    });
    const admittedAtMs = Date.now();
    await store.applyBatch(sequenceEvents(randomUUID(), [makeUsageEvent({ admitted_at: admittedAtMs, cost_p: '123456789' })]), null);
    await feeder.feedOnce();
    const start = new Date(admittedAtMs - 3_600_000).toISOString();
    const query = parseUsageQuery({ start, group_by: 'model_used' }, { organizationId: ORGANIZATION_ID });
    const reply = await chosen.readUsage(query);
    expect(reply).toEqual(await store.readUsage(query));
    expect(Object.values(reply.usage)).toMatchObject([{ spend: '0.000123456789' }]);
    expect(await registry.metrics()).toContain('weir_usage_reads_total{outcome="clickhouse"} 1');
    await clickhouse.close();
    await database.close();
    await Promise.all([engine.stop(), postgres.stop()]);
  });
});
