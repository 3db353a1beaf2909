import { randomUUID } from 'node:crypto';
import type { UsageEvent } from '@weir/contracts';
import { makeUsageEvent, ORGANIZATION_ID, sequenceEvents } from '@weir/testing';
import { DAY_MS, parseUsageQuery, type UsageStore } from '@weir/usage';
import { clearUsage } from '../../__fixtures__/clear-usage';
import { startTestDatabase, type TestDatabase } from '../../__fixtures__/test-database';
import { createUsageStore } from '../create-usage-store';

const NOW = Date.UTC(2026, 7, 7, 13);

let server: TestDatabase;
let store: UsageStore;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await clearUsage(server.database.pool);
  store = createStore();
});

function createStore(): UsageStore {
  return createUsageStore({ pool: server.database.pool, now: () => NOW });
}

async function apply(events: readonly UsageEvent[], into = store): Promise<void> {
  expect(await into.applyBatch(sequenceEvents(randomUUID(), events), null)).toMatchObject({ applied: events.length, deadLettered: 0 });
}

async function queryRows(text: string): Promise<Record<string, unknown>[]> {
  return (await server.database.pool.query<Record<string, unknown>>(text)).rows;
}

function withSession(from: number, count: number, more: Partial<UsageEvent> = {}): UsageEvent[] {
  return Array.from({ length: count }, (_, at) => makeUsageEvent({ extra: { session: `s${from + at}` }, cost_p: '1', ...more }));
}

async function readByExtra(field: string, start = '2026-08-07T00:00:00Z') {
  const answer = await store.readUsage(parseUsageQuery({ start, group_by: `extra.${field}` }, { organizationId: ORGANIZATION_ID }));
  const entry = answer.usage[start];
  const groups = new Map(entry?.grouped_data?.map((group) => [group.group_by_values[`extra.${field}`], group.total_requests]));
  return { total: entry?.total_requests, groups, warnings: answer.warnings };
}

describe('bounds on free fields', () => {
  test('a caller who sees a part of the organization reads the names of fields that they asked about, and no others', async () => {
    const names = ['session', 'secret', 'other'];
    await server.database.pool.query(
      "INSERT INTO usage_bound_met SELECT $1, '2026-08-07T00:00Z', 'values', field FROM unnest($2::text[]) AS field",
      [ORGANIZATION_ID, names],
    );
    const start = '2026-08-07T00:00:00Z';
    const read = async (reach: object) =>
      (await store.readUsage(parseUsageQuery({ start, group_by: 'extra.session' }, { organizationId: ORGANIZATION_ID, ...reach })))
        .warnings ?? [];

    const limited = await read({ reach: { userId: randomUUID(), groupIds: [] } });
    expect(limited.map(({ field }) => field).sort()).toEqual(['extra.session', undefined]);
    expect(JSON.stringify(limited)).not.toMatch(/secret|other"/);
    expect((await read({})).map(({ field }) => field).sort()).toEqual(['extra.other', 'extra.secret', 'extra.session']);
  });

  test('a thousand values of a field stand for themselves on a day; later ones are folded, totals are exact and raw events keep theirs', async () => {
    await apply(withSession(0, 990));
    await apply(withSession(0, 20));
    await apply(withSession(980, 40));
    const { total, groups, warnings } = await readByExtra('session');
    expect(total).toBe(1_050);
    expect(groups.size).toBe(1_001);
    expect([groups.get('s0'), groups.get('s985'), groups.get('s999'), groups.get('__other__')]).toEqual([2, 2, 1, 20]);
    expect(warnings).toEqual([
      {
        day: '2026-08-07T00:00:00Z',
        bound: 'values',
        field: 'extra.session',
        message: expect.stringContaining('more than 1000 different values'),
      },
    ]);
    expect(await queryRows("SELECT count(*)::int AS count FROM usage_event WHERE payload -> 'extra' ->> 'session' = 's1019'")).toEqual([
      { count: 1 },
    ]);
  });

  test('counts the bound per day of admission', async () => {
    await apply(withSession(0, 1_001));
    await apply(withSession(5_000, 3, { admitted_at: NOW - DAY_MS }));
    const { groups, warnings } = await readByExtra('session', '2026-08-06T00:00:00Z');
    expect([...groups]).toEqual(expect.arrayContaining([['s5000', 1]]));
    expect(warnings).toBeUndefined();
  });

  test('twenty fields are kept apart in the order they came, for all of the organization; another organization has its own', async () => {
    const fields = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`f${String(from + at).padStart(2, '0')}`, 'x']));
    await apply([makeUsageEvent({ extra: fields(0, 15) }), makeUsageEvent({ extra: fields(10, 25) })]);
    await apply([makeUsageEvent({ extra: { late: 'x' } }), makeUsageEvent({ org_id: randomUUID(), extra: { late: 'y' } })]);
    expect(await queryRows(`SELECT count(*)::int AS count FROM usage_extra_field WHERE org_id = '${ORGANIZATION_ID}'`)).toEqual([
      { count: 20 },
    ]);
    expect((await readByExtra('f19')).groups).toEqual(
      new Map([
        ['x', 1],
        ['Unknown', 2],
      ]),
    );
    const { groups, warnings } = await readByExtra('late');
    expect(groups).toEqual(new Map([['Unknown', 3]]));
    expect(warnings).toMatchObject([{ bound: 'fields' }]);
    expect(await queryRows("SELECT extra FROM usage_series WHERE extra ? 'late'")).toEqual([{ extra: { late: 'y' } }]);
  });

  test('two processes that bring values at once do not go beyond the bound together', async () => {
    const other = createStore();
    await Promise.all([apply(withSession(0, 700)), apply(withSession(400, 700), other)]);
    await Promise.all([apply(withSession(2_000, 50)), apply(withSession(2_000, 50), other)]);
    const { total, groups } = await readByExtra('session');
    expect(total).toBe(1_500);
    expect(groups.size).toBe(1_001);
  });

  test('what a batch that was rolled back had decided is decided anew', async () => {
    const { pool } = server.database;
    await pool.query('ALTER TABLE ledger_tx RENAME TO ledger_tx_away');
    await expect(store.applyBatch(sequenceEvents(randomUUID(), withSession(0, 5)), null)).rejects.toThrow(/ledger_tx/);
    await pool.query('ALTER TABLE ledger_tx_away RENAME TO ledger_tx');
    expect(await queryRows('SELECT 1 FROM usage_extra_value')).toEqual([]);
    await apply(withSession(0, 5));
    expect((await readByExtra('session')).groups.size).toBe(5);
  });

  test('an hour takes 50,000 series; free text of later ones is folded, whichever process added the first ones', async () => {
    const { pool } = server.database;
    await pool.query(`INSERT INTO usage_hour SELECT '${ORGANIZATION_ID}', '2026-08-07T12:00Z', -n, ${Array.from({ length: 19 }, () => 0).join(', ')}
      FROM generate_series(1, 49998) n`);
    const named = (name: string) =>
      makeUsageEvent({ end_user_id: name, origin_title: 'app', extra: { team: name }, cost_p: '5', billed_p: '5' });
    await apply([named('a'), named('b'), named('c'), named('d'), named('a')]);
    await apply([named('b'), named('e')]);
    const rows =
      await queryRows(`SELECT s.end_user_id AS name, s.origin_title AS title, s.extra ->> 'team' AS team, h.requests::int AS requests, h.cost_pico::int AS cost
      FROM usage_hour h JOIN usage_series s ON s.id = h.series_id ORDER BY 1`);
    expect(rows).toEqual([
      { name: '__other__', title: '__other__', team: '__other__', requests: 3, cost: 15 },
      { name: 'a', title: 'app', team: 'a', requests: 2, cost: 10 },
      { name: 'b', title: 'app', team: 'b', requests: 2, cost: 10 },
    ]);
    expect((await readByExtra('team')).warnings).toMatchObject([{ bound: 'series' }]);
  });
});
