import { randomUUID } from 'node:crypto';
import type { UsageEvent } from '@weir/contracts';
import { makeUsageEvent, ORGANIZATION_ID, sequenceEvents } from '@weir/testing';
import { DAY_MS, HOUR_MS, type UsageStore } from '@weir/usage';
import { clearUsage } from '../../__fixtures__/clear-usage';
import { startTestDatabase, type TestDatabase } from '../../__fixtures__/test-database';
import { createUsageStore } from '../create-usage-store';
import { createUsageUpkeep } from '../create-usage-upkeep';
import { checkUsage, listCandidates } from './check-usage';
import { readReconciliation } from './read-reconciliation';
import { readWriters } from './read-writers';
import { rebuildHour } from './rebuild-usage';

/** Two hours and a bit after the hour of the events. */
const HOUR = Date.UTC(2026, 7, 7, 12);
const NOW = HOUR + 2 * HOUR_MS + 60_000;
const MONTH = { organizationId: ORGANIZATION_ID, monthMs: Date.UTC(2026, 7) };
const USER = '33333333-3333-4333-8333-333333333333';
const GROUP = '44444444-4444-4444-8444-444444444444';

let server: TestDatabase;
let store: UsageStore;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await clearUsage(server.database.pool);
  store = createUsageStore({ pool: server.database.pool, now: () => NOW });
});

function build(at: number, more: Partial<UsageEvent> = {}): UsageEvent {
  const cost = String(1_000_000_007 * (at + 1));
  return makeUsageEvent({
    ...{ admitted_at: HOUR + (at % 60) * 60_000 - (at % 3) * HOUR_MS, model_used: `m${at % 4}`, extra: { team: `t${at % 5}` } },
    ...{ user_id: at % 2 === 0 ? USER : null, group_id: at % 3 === 0 ? GROUP : null, cost_p: cost, billed_p: cost, ...more },
  });
}

async function applyMany(count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, at) => build(at));
  expect(await store.applyBatch(sequenceEvents(randomUUID(), events), null)).toMatchObject({ applied: count });
}

async function query(text: string): Promise<Record<string, unknown>[]> {
  return (await server.database.pool.query<Record<string, unknown>>(text)).rows;
}

/** Everything that folding wrote, but how often it was changed. */
async function snapshot(): Promise<Record<string, unknown>> {
  const rollups = await Promise.all(
    ['usage_hour', 'usage_day', 'usage_month'].map((table) => query(`SELECT * FROM ${table} ORDER BY 1, 2, 3`)),
  );
  return { rollups, spend: await query('SELECT scope, scope_id, month, cost_pico, requests FROM spend_month ORDER BY 1, 2, 3') };
}

const check = (nowMs = NOW) => checkUsage({ pool: server.database.pool, now: () => nowMs });

describe('checking usage', () => {
  test('what adds up is found to, once for each time it is due', async () => {
    await applyMany(200);
    const first = await check();
    expect(first).toEqual({ checked: expect.any(Number), unexplainedPico: 0n });
    expect(first.checked).toBeGreaterThan(2);
    expect(await check()).toEqual({ checked: 0, unexplainedPico: 0n });
    expect(await query("SELECT 1 FROM usage_check WHERE unexplained_pico <> 0 OR findings <> '[]'")).toEqual([]);
    // The next hour, and the one of a day before.
    expect((await check(NOW + HOUR_MS)).checked).toBe(2);
  });

  test('whatever was damaged is found and built anew from the events, to the last digit', async () => {
    await applyMany(200);
    const whole = await snapshot();
    await query(
      'UPDATE usage_hour SET cost_pico = cost_pico + 7, requests = requests + 1 WHERE series_id = (SELECT min(series_id) FROM usage_hour)',
    );
    await query('DELETE FROM usage_day');
    await query('UPDATE usage_month SET cost_pico = 0');
    await query("UPDATE spend_month SET cost_pico = 1 WHERE scope IN ('organization', 'member', 'group_member')");
    expect((await readReconciliation(server.database, MONTH)).unexplainedPico).toBeGreaterThan(0n);
    expect((await check()).unexplainedPico).toBeGreaterThan(0n);
    expect(await snapshot()).toEqual(whole);
    expect(await readReconciliation(server.database, MONTH)).toMatchObject({ unexplainedPico: 0n, differences: [] });
    const [row] = await query("SELECT findings FROM usage_check WHERE unexplained_pico <> 0 AND resolution = 'hour' LIMIT 1");
    expect(row?.['findings']).toContainEqual({ organization_id: ORGANIZATION_ID, between: ['events', 'hour'], what: 'costPico', by: '7' });
  });

  test('reports a ledger that differs, and leaves it as it is', async () => {
    await applyMany(10);
    await query(`WITH tx AS (INSERT INTO ledger_tx (org_id, idempotency_key, kind, effective_at) VALUES ('${ORGANIZATION_ID}', 'stray', 'usage_hour', '2026-08-07T12:00Z') RETURNING id),
      usage AS (SELECT id FROM ledger_account WHERE kind = 'usage'), cash AS (SELECT id FROM ledger_account WHERE kind = 'cash')
      INSERT INTO ledger_entry (tx_id, line, account_id, amount) SELECT tx.id, 1, cash.id, -0.000000000003 FROM tx, cash
        UNION ALL SELECT tx.id, 2, usage.id, 0.000000000003 FROM tx, usage`);
    // Seen by the check of the hour and by those of two midnights.
    expect((await check()).unexplainedPico).toBe(9n);
    expect(await readReconciliation(server.database, MONTH)).toMatchObject({
      unexplainedPico: 3n,
      differences: [{ between: ['month', 'ledger'], what: 'billedPico', by: 3n }],
    });
  });

  test('where the events are gone nothing is taken for wrong', async () => {
    await applyMany(50);
    const whole = await snapshot();
    await query('TRUNCATE usage_event');
    expect((await check()).unexplainedPico).toBeGreaterThan(0n);
    expect(await snapshot()).toEqual(whole);
  });

  test('an hour that is built anew while events come in ends with all of them', async () => {
    await applyMany(100);
    const { pool } = server.database;
    const writing = Array.from({ length: 6 }, (_, writer) =>
      store.applyBatch(
        sequenceEvents(
          randomUUID(),
          Array.from({ length: 50 }, (__, at) => build(at + writer)),
        ),
        null,
      ),
    );
    await Promise.all([
      ...writing,
      ...[0, 1, 2].map((back) => rebuildHour({ pool, organizationId: ORGANIZATION_ID, periodStartMs: HOUR - back * HOUR_MS })),
    ]);
    const { sums, differences } = await readReconciliation(server.database, MONTH);
    expect(differences).toEqual([]);
    expect(sums[0]).toMatchObject({ place: 'events', attempts: 400n });
  });

  test('an hour is due two hours, a day and 36 days after it began, a month every midnight', () => {
    const due = listCandidates(Date.UTC(2026, 7, 7, 14, 30));
    const lastOf = (resolution: string, delayMs: number) =>
      Math.max(...due.filter((one) => one.resolution === resolution && one.dueMs - one.startMs === delayMs).map(({ startMs }) => startMs));
    expect(lastOf('hour', 2 * HOUR_MS)).toBe(Date.UTC(2026, 7, 7, 12));
    expect(lastOf('hour', 36 * DAY_MS)).toBe(Date.UTC(2026, 6, 2, 14));
    expect(lastOf('day', 26 * HOUR_MS)).toBe(Date.UTC(2026, 7, 6));
    expect(
      due.filter(({ resolution }) => resolution === 'month').map(({ startMs }) => new Date(startMs).toISOString().slice(0, 7)),
    ).toEqual(['2026-07', '2026-08', '2026-07', '2026-08']);
    expect(new Set(due.map(({ resolution, startMs, dueMs }) => `${resolution} ${startMs} ${dueMs}`)).size).toBe(due.length);
  });
});

describe('writers', () => {
  test('names the holes of a writer, and returns what is known of it for its journal', async () => {
    const [whole, holed, headless] = [randomUUID(), randomUUID(), randomUUID()];
    const events = Array.from({ length: 10 }, (_, at) => build(at));
    await store.applyBatch(sequenceEvents(whole, events), null);
    const batch = sequenceEvents(holed, events);
    await store.applyBatch([...batch.slice(0, 3), ...batch.slice(5, 7), ...batch.slice(8)], null);
    await store.applyBatch(sequenceEvents(headless, events, 4n), null);
    const writers = new Map((await readWriters(server.database.pool)).map((one) => [one.writerId, one]));
    expect(writers.get(whole)).toMatchObject({ watermark: 9n, holes: [], firstGapAtMs: null });
    expect(writers.get(holed)).toMatchObject({
      watermark: 2n,
      holes: [
        { from: 3n, to: 5n },
        { from: 7n, to: 8n },
      ],
    });
    expect(writers.get(headless)).toMatchObject({ watermark: null, holes: [{ from: 0n, to: 4n }], firstGapAtMs: expect.any(Number) });
    const upkeep = createUsageUpkeep({ pool: server.database.pool, now: Date.now });
    const reported = new Map((await upkeep.readWriters()).map(({ writerId, missing, ranges }) => [writerId, [missing, ranges]]));
    expect([reported.get(whole), reported.get(holed), reported.get(headless)]).toEqual([
      [0n, 1],
      [3n, 3],
      [4n, 1],
    ]);
  });
});
