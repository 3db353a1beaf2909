import { randomUUID } from 'node:crypto';
import type { UsageEvent } from '@weir/contracts';
import { API_KEY_ID, makeUsageEvent, ORGANIZATION_ID, sequenceEvents } from '@weir/testing';
import { DAY_MS, HOUR_MS, periodStart, type UsageQuery, MEASURE_COLUMNS } from '@weir/usage';
import type { Pool } from 'pg';
import { clearUsage } from '../../__fixtures__/clear-usage';
import { buildBesideWriter, interruptBefore, readWithoutCubes } from '../../__fixtures__/cube-questions';
import { startTestServer, type TestServer } from '../../__fixtures__/test-server';
import { createDatabase } from '../../connection/create-database';
import { migrateDatabase } from '../../connection/migrate-database';
import { createUsageStore } from '../create-usage-store';
import { replayDeadLetters } from '../dead-letters/replay-dead-letters';
import { keepPartitions } from '../partitions/keep-partitions';
import { rebuildDay, rebuildHour } from '../reconcile/rebuild-usage';
import { buildCubes } from './build-cubes';
import { CUBES, NEWEST_CUBE } from './cubes';

const FIRST_DAY = Date.UTC(2026, 7, 1);
const DAYS = 4;
/** Within the second hour of the day after: three days are over and settled, the fourth as well. */
const NOW = FIRST_DAY + DAYS * DAY_MS + 1.5 * HOUR_MS;
const OTHER_ORGANIZATION = '99999999-9999-4999-8999-999999999999';
const OTHER_KEY = '55555555-5555-4555-8555-555555555555';

let server: TestServer;
let pool: Pool;
beforeAll(async () => {
  server = await startTestServer();
  pool = server.database.pool;
});
afterAll(() => server.stop());
beforeEach(() => clearUsage(pool));

function event(at: number, more: Partial<UsageEvent> = {}): UsageEvent {
  const cost = String(10n ** 15n + BigInt(at) * 1_000_003n);
  return makeUsageEvent({
    admitted_at: FIRST_DAY + ((at * 7_919) % (DAYS * 24)) * HOUR_MS + 1_000 + at,
    ...{ model_used: `m${at % 3}`, is_byok: at % 5 === 0, extra: { team: `t${at % 11}` }, end_user_id: at % 2 === 0 ? `u${at % 4}` : null },
    ...{
      api_key_id: at % 3 === 0 ? OTHER_KEY : API_KEY_ID,
      group_id: at % 4 === 0 ? OTHER_ORGANIZATION : null,
      cost_p: cost,
      billed_p: cost,
    },
    ...{ org_id: at % 7 === 0 ? OTHER_ORGANIZATION : ORGANIZATION_ID, ...more },
  });
}

function apply(events: readonly UsageEvent[], writerId: string = randomUUID()) {
  return createUsageStore({ pool, now: () => NOW }).applyBatch(sequenceEvents(writerId, events), null);
}

const build = (through: Pool = pool) => buildCubes({ pool: through, now: () => NOW });

const QUESTIONS: readonly Omit<UsageQuery, 'organizationId'>[] = [
  { startMs: FIRST_DAY, endMs: NOW, resolution: 'hour', groupBy: [] },
  { startMs: FIRST_DAY, endMs: NOW, resolution: 'hour', groupBy: ['model_used', 'is_byok'] },
  { startMs: FIRST_DAY + 5 * HOUR_MS, endMs: NOW, resolution: 'hour', groupBy: ['api_key_id', 'group_id'] },
  { startMs: FIRST_DAY, endMs: NOW, resolution: 'hour', groupBy: ['model_used'], apiKeyId: OTHER_KEY },
  { startMs: FIRST_DAY, endMs: NOW, resolution: 'hour', groupBy: ['extra.team', 'user_id'] },
  { startMs: FIRST_DAY - DAY_MS + HOUR_MS, endMs: NOW, resolution: 'day', groupBy: ['model_used'] },
  { startMs: FIRST_DAY, endMs: NOW, resolution: 'day', groupBy: ['extra.team', 'api_key_label.team'] },
  { startMs: FIRST_DAY + 7 * HOUR_MS, endMs: NOW, resolution: 'day', groupBy: ['extra.team', 'group_id'], apiKeyId: OTHER_KEY },
  { startMs: FIRST_DAY - 40 * DAY_MS, endMs: NOW, resolution: 'month', groupBy: ['extra.team'] },
  { startMs: FIRST_DAY, endMs: NOW, resolution: 'day', groupBy: ['user_id', 'extra.team', 'model_used'] },
  { startMs: FIRST_DAY + 3 * HOUR_MS, endMs: FIRST_DAY + DAY_MS + 7 * HOUR_MS, resolution: 'hour', groupBy: ['model_used'] },
  { startMs: FIRST_DAY + 3 * HOUR_MS, endMs: FIRST_DAY + 5 * HOUR_MS, resolution: 'hour', groupBy: ['api_key_id'] },
  { startMs: FIRST_DAY + 3 * HOUR_MS, endMs: FIRST_DAY + (DAYS - 1) * DAY_MS + 7 * HOUR_MS, resolution: 'day', groupBy: ['api_key_id'] },
];

async function expectSameResults(): Promise<void> {
  for (const organizationId of [ORGANIZATION_ID, OTHER_ORGANIZATION]) {
    for (const question of QUESTIONS) {
      const query = { ...question, organizationId };
      const { usage } = await createUsageStore({ pool, now: () => NOW }).readUsage(query);
      expect(usage).toEqual(await readWithoutCubes(pool, query));
    }
  }
}

async function countStates(): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ state: string; count: string }>('SELECT state, count(*) FROM usage_cube_day GROUP BY state');
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

const interrupting = (act: () => Promise<unknown>): Pool => interruptBefore(pool, 'weir-end-cubes', act);

describe('cubes', () => {
  test('say what the hours say, and are what is read', async () => {
    await apply(Array.from({ length: 400 }, (_, at) => event(at)));
    await expectSameResults();
    expect(await build()).toEqual({ built: 2 * DAYS, left: 0 });
    expect(await countStates()).toEqual({ exact: 2 * DAYS });
    await expectSameResults();
    expect(await build()).toEqual({ built: 0, left: 0 });
    await pool.query('UPDATE usage_cube SET cost_pico = cost_pico + 1');
    for (const question of QUESTIONS.filter(({ groupBy }) => !groupBy.includes('user_id'))) {
      const query = { ...question, organizationId: ORGANIZATION_ID };
      const { usage } = await createUsageStore({ pool, now: () => NOW }).readUsage(query);
      const isOfHours = query.resolution === 'hour' && query.groupBy.includes('extra.team');
      expect(JSON.stringify(usage) === JSON.stringify(await readWithoutCubes(pool, query))).toBe(isOfHours);
    }
  });

  test('of days that an earlier version has built, which knows two cubes, are not read and are built', async () => {
    await apply(Array.from({ length: 60 }, (_, at) => event(at)));
    await build();
    await pool.query('UPDATE usage_cube SET cost_pico = cost_pico + 1 WHERE cube > 2');
    await pool.query("UPDATE usage_cube_day SET state = 'building', attempt = attempt + 1");
    await pool.query("UPDATE usage_cube_day SET state = 'exact' WHERE state = 'building'");
    await expectSameResults();
    expect(await build()).toEqual({ built: (await countStates())['exact'], left: 0 });
    await expectSameResults();
    expect((await pool.query('SELECT DISTINCT cube FROM usage_cube ORDER BY cube')).rows).toEqual(
      CUBES.map(({ id }) => ({ cube: id })).sort((a, b) => a.cube - b.cube),
    );
    expect(await build()).toEqual({ built: 0, left: 0 });
  });

  test('what waits is found by an index that knows how many cubes there are', async () => {
    const { rows } = await pool.query<{ definition: string }>(
      "SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indexrelid = 'usage_cube_day_waiting'::regclass",
    );
    expect(rows[0]?.definition).toContain(`(cubes < ${NEWEST_CUBE})`);
  });

  test('in every state: late events, repeats, dead letters, hours built anew, changes by hand and by earlier versions', async () => {
    const writer = randomUUID();
    const events = Array.from({ length: 120 }, (_, at) => event(at));
    await apply(events, writer);
    const steps: (() => Promise<unknown>)[] = [
      () => apply(events, writer),
      () => apply([event(121), event(122)]),
      () => apply([event(123, { admitted_at: FIRST_DAY - 2 * DAY_MS })]),
      async () => {
        await apply([event(124, { v: 9 } as never)]);
        await pool.query('UPDATE usage_dead_letter SET payload = $1, received_at = to_timestamp($2)', [
          Buffer.from(JSON.stringify(event(124))),
          NOW / 1000,
        ]);
        expect(await replayDeadLetters({ pool })).toMatchObject({ replayed: 1 });
      },
      async () => {
        await pool.query('DELETE FROM usage_hour WHERE period_start = to_timestamp($1)', [FIRST_DAY / 1000]);
        await expectSameResults();
        await rebuildHour({ pool, organizationId: ORGANIZATION_ID, periodStartMs: FIRST_DAY });
      },
      // No version but the database itself makes the day stale.
      async () => {
        await pool.query('UPDATE usage_hour SET cost_pico = cost_pico + 1 WHERE org_id = $1', [OTHER_ORGANIZATION]);
        for (let at = 0; at < DAYS; at += 1)
          await rebuildDay({ pool, organizationId: OTHER_ORGANIZATION, periodStartMs: FIRST_DAY + at * DAY_MS });
      },
    ];
    for (const step of steps) {
      await build();
      await step();
      await expectSameResults();
    }
    expect((await countStates())['stale']).toBe(DAYS);
    expect(await build()).toMatchObject({ left: 0 });
    expect(await countStates()).toEqual({ exact: 2 * DAYS + 1 });
    await expectSameResults();
  }, 30_000);

  test('what is counted while a day is being built makes it stale: it is built the next time', async () => {
    await apply([event(1), event(2, { admitted_at: event(1).admitted_at })]);
    let late = 10;
    const through = interrupting(() => apply([event((late += 1), { admitted_at: event(1).admitted_at, org_id: ORGANIZATION_ID })]));
    expect(await build(through)).toEqual({ built: 0, left: 1 });
    expect(await countStates()).toEqual({ stale: 1 });
    await expectSameResults();
    expect(await build()).toEqual({ built: 1, left: 0 });
    await expectSameResults();
  });

  test('who began to count before a day is built is waited for', async () => {
    await apply([event(1)]);
    expect(await buildBesideWriter(pool, build)).toEqual({ built: 1, left: 0 });
    await expectSameResults();
  });

  test('a build that dies, or comes after a later one, changes nothing', async () => {
    await apply([event(1)]);
    await expect(build(interrupting(() => Promise.reject(new Error('killed'))))).rejects.toThrow('killed');
    expect(await countStates()).toEqual({ building: 1 });
    expect((await pool.query('SELECT 1 FROM usage_cube')).rowCount).toBe(0);
    await expectSameResults();
    const takeOver = () => pool.query('UPDATE usage_cube_day SET attempt = attempt + 1');
    expect(await build(interrupting(takeOver))).toEqual({ built: 0, left: 1 });
    expect(await build()).toEqual({ built: 1, left: 0 });
    await expectSameResults();
  });

  test('a day that cannot be built keeps no other from it', async () => {
    await apply([event(1), event(2), event(3)]);
    const days = (await countStates())['stale'] as number;
    const failures = [new Error('out of space')];
    const failOnce = async (): Promise<void> => {
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
    };
    await expect(build(interrupting(failOnce))).rejects.toThrow('out of space');
    expect(await countStates()).toEqual({ building: 1, exact: days - 1 });
    expect(await build()).toEqual({ built: 1, left: 0 });
    await expectSameResults();
  });

  test('the day that is not over is not built; two at once do not disturb each other', async () => {
    await apply([event(1, { admitted_at: NOW - HOUR_MS }), event(2), event(3)]);
    const results = await Promise.all([build(), build()]);
    expect(Math.max(...results.map(({ built }) => built))).toBe((await countStates())['exact']);
    expect((await countStates())['stale']).toBe(1);
    await expectSameResults();
  });

  test('go before the hours they say the same as', async () => {
    await apply([event(1)]);
    await build();
    await keepPartitions({ pool, now: () => FIRST_DAY + 200 * DAY_MS });
    expect(await countStates()).toEqual({});
    expect((await pool.query('SELECT 1 FROM usage_cube')).rowCount).toBe(0);
  });

  test('are not built of what comes for a day whose other hours are kept no more', async () => {
    const url = await server.createEmpty('dropped_hours');
    await migrateDatabase({ url });
    const database = createDatabase({ url });
    // After the border that the migration draws by the clock of Postgres.
    const [admitted_at, now] = [Date.now() - 40 * DAY_MS, Date.now() + 400 * DAY_MS];
    const startMs = periodStart('day', admitted_at);
    const query: UsageQuery = { organizationId: ORGANIZATION_ID, startMs, endMs: startMs + DAY_MS, resolution: 'day', groupBy: [] };
    const store = createUsageStore({ pool: database.pool, now: () => admitted_at });
    const add = () => store.applyBatch(sequenceEvents(randomUUID(), [makeUsageEvent({ admitted_at })]), null);
    await add();
    await keepPartitions({ pool: database.pool, now: () => now });
    await add();
    const before = await createUsageStore({ pool: database.pool, now: () => now }).readUsage(query);
    expect(Object.values(before.usage).flat()).toMatchObject([{ completions_requests: 2 }]);
    const built = await buildCubes({ pool: database.pool, now: () => now });
    expect(await createUsageStore({ pool: database.pool, now: () => now }).readUsage(query)).toEqual(before);
    expect(built).toEqual({ built: 0, left: 1 });
    await database.close();
  });

  test('days that a database had before wait to be built', async () => {
    const url = await server.createBefore('20261122034500', 'cubes');
    const database = createDatabase({ url });
    const now = Date.now();
    // As a version counted that knows nothing of cubes.
    for (const table of ['usage_hour', 'usage_day'])
      for (const ago of [2, 3, 4])
        await database.pool.query(
          `INSERT INTO ${table} SELECT $1, date_trunc('day', to_timestamp($2), 'UTC'), 1${', 1'.repeat(Object.keys(MEASURE_COLUMNS).length)}`,
          [ORGANIZATION_ID, (now - ago * DAY_MS) / 1000],
        );
    await migrateDatabase({ url });
    expect(await buildCubes({ pool: database.pool, now: () => now })).toEqual({ built: 3, left: 0 });
    await database.close();
  });
});
