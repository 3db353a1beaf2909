import { randomUUID } from 'node:crypto';
import { makeUsageEvent, ORGANIZATION_ID, sequenceEvents } from '@weir/testing';
import { DAY_MS, periodStart } from '@weir/usage';
import { startTestServer, type TestServer } from '../../__fixtures__/test-server';
import { createDatabase, type Database } from '../../connection/create-database';
import { migrateDatabase } from '../../connection/migrate-database';
import { createUsageStore } from '../create-usage-store';
import { readReconciliation } from '../reconcile/read-reconciliation';
import { rebuildDay, rebuildHour, rebuildMonth } from '../reconcile/rebuild-usage';
import { keepPartitions } from './keep-partitions';
import { readKeptSince, readPartitions } from './read-partitions';

const RETENTION = { eventDays: 45, hourDays: 135, dayMonths: 25 };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function withDatabase(name: string, run: (database: Database, url: string) => Promise<void>): Promise<void> {
  const url = await server.createEmpty(name);
  await migrateDatabase({ url });
  const database = createDatabase({ url });
  try {
    await run(database, url);
  } finally {
    await database.close();
  }
}

async function apply({ pool }: Database, admittedAt: number, nowMs: number): Promise<void> {
  const batch = sequenceEvents(randomUUID(), [makeUsageEvent({ admitted_at: admittedAt })]);
  expect(await createUsageStore({ pool, now: () => nowMs }).applyBatch(batch, null)).toMatchObject({ applied: 1 });
}

async function countIn({ pool }: Database, table: string): Promise<number> {
  return Number((await pool.query<{ count: string }>(`SELECT count(*) AS count FROM ${table}`)).rows[0]?.count);
}

/** A moment after the border that the migration drew by the clock of Postgres. */
const LATER = Date.UTC(new Date().getUTCFullYear() + 1, 4, 20, 12);

describe('partitions', () => {
  test('are made ahead of time, once, by one of several processes, and take in rows that came before them', async () => {
    await withDatabase('ahead', async (database) => {
      const { pool } = database;
      await apply(database, LATER, LATER);
      expect([await countIn(database, 'usage_event_other'), await countIn(database, 'usage_hour_other')]).toEqual([1, 1]);
      const runs = await Promise.all([1, 2].map(() => keepPartitions({ pool, now: () => LATER, retention: RETENTION })));
      const created = runs.flatMap((run) => run.created);
      const year = new Date(LATER).getUTCFullYear();
      expect(new Set(created).size).toBe(created.length);
      const again = await keepPartitions({ pool, now: () => LATER, retention: RETENTION });
      expect([...created, ...again.created].sort()).toEqual([
        ...['20', '21', '22', '23'].map((day) => `usage_event_${year}05${day}`),
        `usage_hour_${year}05`,
      ]);
      expect(await keepPartitions({ pool, now: () => LATER, retention: RETENTION })).toEqual({ created: [], dropped: expect.any(Array) });
      expect([await countIn(database, 'usage_event_other'), await countIn(database, `usage_event_${year}0520`)]).toEqual([0, 1]);
      await apply(database, LATER + DAY_MS, LATER + DAY_MS);
      expect(await countIn(database, `usage_event_${year}0521`)).toBe(1);
      const indexes = await pool.query<{ indexdef: string }>('SELECT indexdef FROM pg_indexes WHERE tablename = $1', [
        `usage_event_${year}0521`,
      ]);
      expect(indexes.rows.filter(({ indexdef }) => indexdef.endsWith('USING btree (org_id, admitted_at)'))).toHaveLength(1);
      const month = { organizationId: ORGANIZATION_ID, monthMs: Date.UTC(year, 4) };
      expect(await readReconciliation(database, month)).toMatchObject({ differences: [], sums: expect.arrayContaining([]) });
    });
  });

  test('are dropped when nothing of them is kept any more; days and months stay', async () => {
    await withDatabase('dropped', async (database) => {
      const { pool } = database;
      const at = LATER - 60 * DAY_MS;
      await keepPartitions({ pool, now: () => at, retention: RETENTION });
      await apply(database, at, at);
      const kept = await keepPartitions({ pool, now: () => at + 45 * DAY_MS, retention: RETENTION });
      expect(kept.dropped).not.toContain((await readPartitions(pool, 'usage_event')).at(-1)?.name);
      expect(await countIn(database, 'usage_event')).toBe(1);
      const { dropped } = await keepPartitions({ pool, now: () => at + 47 * DAY_MS, retention: RETENTION });
      expect(dropped).toContain(`usage_event_${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}`);
      expect([await countIn(database, 'usage_event'), await countIn(database, 'usage_hour')]).toEqual([0, 1]);
      expect(await readKeptSince(pool, 'usage_event')).toBeGreaterThan(at);
      const used = { pool, organizationId: ORGANIZATION_ID, periodStartMs: periodStart('hour', at) };
      await expect(rebuildHour(used)).rejects.toMatchObject({ code: 'conflict' });
      await rebuildDay(used);
      expect(await countIn(database, 'usage_day')).toBe(1);
      await keepPartitions({ pool, now: () => at + 170 * DAY_MS, retention: RETENTION });
      expect([await countIn(database, 'usage_hour'), await countIn(database, 'usage_day'), await countIn(database, 'usage_month')]).toEqual(
        [0, 1, 1],
      );
      // Nothing is built anew from what is no longer there: that would take away what was used.
      await expect(rebuildDay(used)).rejects.toMatchObject({ code: 'conflict' });
      await rebuildMonth({ ...used, periodStartMs: periodStart('month', at) });
      await pool.query('DELETE FROM usage_day');
      await expect(rebuildMonth({ ...used, periodStartMs: periodStart('month', at) })).rejects.toMatchObject({ code: 'conflict' });
      expect(await countIn(database, 'usage_month')).toBe(1);
      // What comes for a day that has no partition any more is kept all the same, until its time is over too.
      await apply(database, at, at);
      expect(await countIn(database, 'usage_event_other')).toBe(1);
      await keepPartitions({ pool, now: () => at + 170 * DAY_MS, retention: RETENTION });
      expect(await countIn(database, 'usage_event_other')).toBe(0);
    });
  });

  test('a partition that is read just now is not waited for', async () => {
    await withDatabase('busy', async (database) => {
      const { pool } = database;
      const reader = await pool.connect();
      await reader.query('BEGIN; SELECT count(*) FROM usage_event_other');
      const { created } = await keepPartitions({ pool, now: () => LATER, retention: { ...RETENTION, eventDays: 3650, hourDays: 3650 } });
      expect(created.filter((name) => name.startsWith('usage_event'))).toEqual([]);
      await reader.query('ROLLBACK');
      reader.release();
      expect((await keepPartitions({ pool, now: () => LATER, retention: RETENTION })).created).toHaveLength(4);
    });
  }, 60_000);

  test('what a database held before is all there afterwards', async () => {
    const url = await server.createBefore('20261121111000', 'moved');
    const database = createDatabase({ url });
    // The current version of counting needs these; the version of that time did not know of them.
    await database.pool.query(
      `ALTER TABLE ledger_tx ADD COLUMN usage_hour timestamptz;
      CREATE TABLE usage_cube_day (org_id uuid, day timestamptz, state text, exact_hours smallint DEFAULT 0, watched_hours smallint,
        PRIMARY KEY (org_id, day))`,
    );
    await apply(database, Date.now() - DAY_MS, Date.now());
    await database.pool.query('DROP TABLE usage_cube_day; ALTER TABLE ledger_tx DROP COLUMN usage_hour');
    await migrateDatabase({ url });
    expect([await countIn(database, 'usage_event'), await countIn(database, 'usage_hour')]).toEqual([1, 1]);
    await apply(database, Date.now() - DAY_MS, Date.now());
    expect(await countIn(database, 'usage_event_before')).toBe(2);
    await database.close();
  });
});
