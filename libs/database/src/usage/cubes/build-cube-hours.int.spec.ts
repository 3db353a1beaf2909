import { randomUUID } from 'node:crypto';
import type { UsageEvent } from '@weir/contracts';
import { API_KEY_ID, makeUsageEvent, ORGANIZATION_ID, sequenceEvents } from '@weir/testing';
import { DAY_MS, HOUR_MS, type UsageQuery } from '@weir/usage';
import type { Pool } from 'pg';
import { clearUsage } from '../../__fixtures__/clear-usage';
import { buildBesideWriter, interruptBefore, readWithoutCubes, waitForLock } from '../../__fixtures__/cube-questions';
import { startTestDatabase, type TestDatabase } from '../../__fixtures__/test-database';
import { createUsageStore } from '../create-usage-store';
import { replayDeadLetters } from '../dead-letters/replay-dead-letters';
import { rebuildHour } from '../reconcile/rebuild-usage';
import { buildCubes } from './build-cubes';

const TODAY = Date.UTC(2026, 7, 7);
const YESTERDAY = TODAY - DAY_MS;
/** Thirteen hours are over and settled. */
const NOON = TODAY + 13.5 * HOUR_MS;
const CLOSED = 13;
const OTHER_ORGANIZATION = '99999999-9999-4999-8999-999999999999';
const OTHER_KEY = '55555555-5555-4555-8555-555555555555';

let server: TestDatabase;
let pool: Pool;
let nowMs: number;
beforeAll(async () => {
  server = await startTestDatabase();
  pool = server.database.pool;
});
afterAll(() => server.stop());
beforeEach(async () => {
  nowMs = NOON;
  await clearUsage(pool);
});

const now = () => nowMs;
const build = (through: Pool = pool) => buildCubes({ pool: through, now, hourRowsMin: 1 });

/** The n-th event, of whatever series; in the hour of today, which may be one of yesterday. */
function eventIn(hour: number, at = 0, more: Partial<UsageEvent> = {}): UsageEvent {
  const cost = String(10n ** 15n + BigInt(at) * 1_000_003n);
  return makeUsageEvent({
    ...{ admitted_at: TODAY + hour * HOUR_MS + 1_000 + at, model_used: `m${at % 3}`, extra: { team: `t${at % 11}` } },
    ...{ api_key_id: at % 3 === 0 ? OTHER_KEY : API_KEY_ID, cost_p: cost, billed_p: cost },
    ...{ org_id: at % 7 === 6 ? OTHER_ORGANIZATION : ORGANIZATION_ID, ...more },
  });
}

/** Of both organizations, from yesterday's first hour to the one that runs. */
const USAGE = Array.from({ length: 400 }, (_, at) => eventIn(((at * 7_919) % 38) - 24, at));

function apply(events: readonly UsageEvent[], writerId: string = randomUUID()) {
  return createUsageStore({ pool, now }).applyBatch(sequenceEvents(writerId, events), null);
}

const range = (from: number, until: number) => ({ startMs: TODAY + from * HOUR_MS, endMs: TODAY + until * HOUR_MS });
const QUESTIONS: readonly Omit<UsageQuery, 'organizationId'>[] = [
  { ...range(-10, 14), resolution: 'hour', groupBy: [] },
  { ...range(-10, 14), resolution: 'hour', groupBy: ['model_used'] },
  { ...range(-10, 14), resolution: 'hour', groupBy: ['api_key_id'], apiKeyId: OTHER_KEY },
  { ...range(-10, 14), resolution: 'hour', groupBy: ['extra.team', 'model_used'] },
  { ...range(3, 5), resolution: 'hour', groupBy: ['model_used'] },
  { ...range(5, 6), resolution: 'hour', groupBy: ['model_used'] },
  { ...range(11.5, 13.5), resolution: 'hour', groupBy: ['api_key_id'] },
  { ...range(13, 24), resolution: 'hour', groupBy: [] },
  { ...range(-20, 7), resolution: 'day', groupBy: ['model_used'] },
  { ...range(-24, 24), resolution: 'day', groupBy: ['model_used'] },
  { ...range(-100, 200), resolution: 'hour', groupBy: ['model_used', 'api_key_id'] },
];

/** For how many queries the result is what the rollups say. */
async function countSame(): Promise<number> {
  let same = 0;
  for (const organizationId of [ORGANIZATION_ID, OTHER_ORGANIZATION]) {
    for (const question of QUESTIONS) {
      const { usage } = await createUsageStore({ pool, now }).readUsage({ ...question, organizationId });
      if (JSON.stringify(usage) === JSON.stringify(await readWithoutCubes(pool, { ...question, organizationId }))) same += 1;
    }
  }
  return same;
}

async function expectSameResults(): Promise<void> {
  expect(await countSame()).toBe(2 * QUESTIONS.length);
}

type Day = { readonly state: string; readonly exact: number; readonly watched: number };

async function readDay(dayMs = TODAY, organizationId = ORGANIZATION_ID): Promise<Day | undefined> {
  const { rows } = await pool.query<Day>(
    'SELECT state, exact_hours AS exact, watched_hours AS watched FROM usage_cube_day WHERE org_id = $1 AND day = to_timestamp($2)',
    [organizationId, dayMs / 1000],
  );
  return rows[0];
}

/** As the version did that knows only whole days: what comes after a batch is counted by the triggers. */
async function applyAsBefore(event: UsageEvent): Promise<void> {
  const columns = await pool.query<{ names: string }>(
    "SELECT string_agg(column_name, ', ' ORDER BY ordinal_position) AS names FROM information_schema.columns WHERE table_name = 'usage_hour'",
  );
  const hour = Math.floor(event.admitted_at / HOUR_MS) * 3600;
  for (const [table, seconds] of [
    ['usage_hour', hour],
    ['usage_day', hour - (hour % 86_400)],
  ] as const) {
    const added = ['requests', 'input_tokens', 'output_tokens', 'cost_pico']
      .map((name) => `${name} = ${table}.${name} + excluded.${name}`)
      .join(', ');
    await pool.query(
      `INSERT INTO ${table} (${columns.rows[0]?.names}) SELECT $1, to_timestamp($2), min(id), 1, 1, 0, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 99, 99, 0, 0, 0 FROM usage_series
        WHERE org_id = $1 ON CONFLICT (org_id, period_start, series_id) DO UPDATE SET ${added}`,
      [event.org_id, seconds],
    );
  }
}

const DAY_OF_ORGANIZATION = 'org_id = $1 AND day = to_timestamp($2)';
const bindDay = (dayMs: number) => [ORGANIZATION_ID, dayMs / 1000];

describe('cubes of hours that are over', () => {
  test('say what the hours say, and are what is read', async () => {
    await apply(USAGE);
    await expectSameResults();
    expect(await build()).toEqual({ built: 4, left: 0 });
    expect(await readDay()).toEqual({ state: 'stale', exact: CLOSED, watched: CLOSED });
    expect(await readDay(YESTERDAY)).toEqual({ state: 'exact', exact: 24, watched: 24 });
    await expectSameResults();
    expect(await build()).toEqual({ built: 0, left: 0 });
    const { rows } = await pool.query(
      'SELECT cube, max(period_start) AS last FROM usage_cube WHERE period_start >= $1 GROUP BY cube ORDER BY cube',
      [new Date(TODAY)],
    );
    const last = new Date(TODAY + (CLOSED - 1) * HOUR_MS);
    expect(rows).toEqual([1, 2].map((cube) => ({ cube, last })));
    await pool.query('UPDATE usage_cube SET cost_pico = cost_pico + 1 WHERE period_start >= $1', [new Date(TODAY)]);
    // Those about free text, about the hour that runs, and about days read no cube of hours of today.
    expect(await countSame()).toBe(2 * 3);
  });

  test('come hour by hour: only what is new is built', async () => {
    await apply(USAGE);
    await build();
    await pool.query('UPDATE usage_cube SET requests = requests + 1000 WHERE period_start = $1 AND cube = 1', [
      new Date(TODAY + 12 * HOUR_MS),
    ]);
    nowMs = TODAY + 14 * HOUR_MS + 4 * 60_000;
    expect(await build()).toEqual({ built: 0, left: 0 });
    nowMs += 60_000;
    expect(await build()).toEqual({ built: 2, left: 0 });
    expect(await readDay()).toEqual({ state: 'stale', exact: 14, watched: 14 });
    const { rows } = await pool.query('SELECT DISTINCT requests > 1000 AS untouched FROM usage_cube WHERE period_start = $1 AND cube = 1', [
      new Date(TODAY + 12 * HOUR_MS),
    ]);
    expect(rows).toEqual([{ untouched: true }]);
  });

  test('wait until they have so many rows that it is worth it', async () => {
    await apply(USAGE);
    const count = await pool.query<{ rows: string }>(
      'SELECT count(*) AS rows FROM usage_hour WHERE org_id = $1 AND period_start >= $2 AND period_start < $3',
      [...[ORGANIZATION_ID, new Date(TODAY), new Date(TODAY + CLOSED * HOUR_MS)]],
    );
    const rows = Number(count.rows[0]?.rows);
    await buildCubes({ pool, now });
    expect(await readDay()).toMatchObject({ exact: 0 });
    await buildCubes({ pool, now, hourRowsMin: rows + 1 });
    expect(await readDay()).toMatchObject({ exact: 0 });
    await buildCubes({ pool, now, hourRowsMin: rows });
    expect(await readDay()).toMatchObject({ exact: CLOSED });
  });

  test('are not touched by who counts in the hour that runs; who changes one that is over takes it back', async () => {
    await apply(USAGE);
    await build();
    const other = await pool.connect();
    const read = () => pool.query('SELECT xmin::text, ctid::text, * FROM usage_cube_day ORDER BY org_id, day');
    const before = (await read()).rows;
    await other.query('BEGIN');
    await other.query('SELECT FROM usage_cube_day FOR UPDATE');
    await apply([eventIn(CLOSED, 1), eventIn(CLOSED, 6), eventIn(CLOSED, 500)]);
    await applyAsBefore(eventIn(CLOSED));
    expect((await read()).rows).toEqual(before.map((row) => ({ ...row, xmin: expect.any(String) })));
    let isDone = false;
    const late = apply([eventIn(CLOSED, 2), eventIn(4, 3), eventIn(6, 4)]).then(() => (isDone = true));
    await waitForLock(pool, 'ShareLock');
    expect(isDone).toBe(false);
    await other.query('ROLLBACK');
    other.release();
    await late;
    expect(await readDay()).toEqual({ state: 'stale', exact: 4, watched: 4 });
    expect(await readDay(TODAY, OTHER_ORGANIZATION)).toEqual({ state: 'stale', exact: CLOSED, watched: CLOSED });
    await expectSameResults();
  });

  test('in every state: late events, repeats, dead letters, hours built anew, changes by hand and by the version before', async () => {
    const writer = randomUUID();
    await apply(USAGE, writer);
    const at = (hour: number) => new Date(TODAY + hour * HOUR_MS);
    const steps: [exact: number, step: () => Promise<unknown>][] = [
      [CLOSED, () => apply(USAGE, writer)],
      [12, () => apply([eventIn(12, 900)])],
      [3, () => apply([eventIn(9, 901), eventIn(3, 907), eventIn(CLOSED, 903)])],
      [0, () => apply([eventIn(0, 904)])],
      [
        5,
        async () => {
          await apply([eventIn(5, 905, { v: 9 } as never)]);
          await pool.query('UPDATE usage_dead_letter SET payload = $1, received_at = $2', [
            Buffer.from(JSON.stringify(eventIn(5, 905))),
            at(5),
          ]);
          expect(await replayDeadLetters({ pool })).toMatchObject({ replayed: 1 });
        },
      ],
      [
        8,
        async () => {
          await pool.query('DELETE FROM usage_hour WHERE period_start = $1 AND org_id = $2', [at(8), ORGANIZATION_ID]);
          await expectSameHours();
          await rebuildHour({ pool, organizationId: ORGANIZATION_ID, periodStartMs: TODAY + 8 * HOUR_MS });
        },
      ],
      [7, () => pool.query('UPDATE usage_hour SET cost_pico = cost_pico + 1 WHERE period_start >= $1', [at(7)])],
      [10, () => applyAsBefore(eventIn(10))],
    ];
    const expectSameHours = async (): Promise<void> => {
      for (const question of QUESTIONS.filter(({ resolution }) => resolution === 'hour')) {
        const query = { ...question, organizationId: ORGANIZATION_ID };
        expect((await createUsageStore({ pool, now }).readUsage(query)).usage).toEqual(await readWithoutCubes(pool, query));
      }
    };
    for (const [exact, step] of steps) {
      expect(await build()).toMatchObject({ left: 0 });
      expect(await readDay()).toEqual({ state: 'stale', exact: CLOSED, watched: CLOSED });
      await step();
      expect(await readDay()).toEqual({ state: 'stale', exact, watched: exact });
      await expectSameHours();
    }
    await build();
    await expectSameHours();
  }, 60_000);

  test('that are changed while they are built are built the next time; the hour that runs may be', async () => {
    await apply(USAGE.filter(({ org_id }) => org_id === ORGANIZATION_ID));
    let at = 1000;
    expect(
      await build(interruptBefore(pool, 'weir-end-cube-hours', () => apply([eventIn(6, (at += 7), { org_id: ORGANIZATION_ID })]))),
    ).toEqual({
      built: 1,
      left: 1,
    });
    expect(await readDay()).toEqual({ state: 'stale', exact: 0, watched: 6 });
    await expectSameResults();
    expect(await build(interruptBefore(pool, 'weir-end-cube-hours', () => applyAsBefore(eventIn(CLOSED))))).toEqual({ built: 1, left: 0 });
    expect(await build(interruptBefore(pool, 'weir-end-cube-hours', () => applyAsBefore(eventIn(6))))).toEqual({ built: 0, left: 0 });
    await applyAsBefore(eventIn(6));
    expect(await build(interruptBefore(pool, 'weir-end-cube-hours', () => applyAsBefore(eventIn(8))))).toEqual({ built: 0, left: 1 });
    expect(await readDay()).toEqual({ state: 'stale', exact: 6, watched: 8 });
    await expectSameResults();
    expect(await build()).toEqual({ built: 1, left: 0 });
    await expectSameResults();
  });

  test('are not built before who began to count in them is done', async () => {
    await apply([eventIn(3, 1)]);
    expect(await buildBesideWriter(pool, build)).toEqual({ built: 1, left: 0 });
    await expectSameResults();
  });

  test('are not changed by who does not see that they are built', async () => {
    await apply([eventIn(3, 1)]);
    const writer = await pool.connect();
    await writer.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM usage_cube_day');
    await build();
    await expect(writer.query('UPDATE usage_hour SET cost_pico = cost_pico + 1')).rejects.toMatchObject({ code: '40001' });
    await writer.query('ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ; UPDATE usage_hour SET cost_pico = cost_pico + 1; COMMIT');
    writer.release();
    expect(await readDay()).toEqual({ state: 'stale', exact: 3, watched: 3 });
    nowMs += DAY_MS;
    await build();
    expect(await readDay()).toEqual({ state: 'exact', exact: 24, watched: 24 });
  });

  test('of a build that dies, or is overtaken by another of hours or of the day, are not there', async () => {
    await apply(USAGE.filter(({ org_id }) => org_id === ORGANIZATION_ID));
    await build();
    await apply([eventIn(9, 1)]);
    const through = (act: () => Promise<unknown>) => interruptBefore(pool, 'weir-end-cube-hours', act);
    await expect(build(through(() => Promise.reject(new Error('killed'))))).rejects.toThrow('killed');
    expect(await readDay()).toEqual({ state: 'stale', exact: 9, watched: CLOSED });
    await expectSameResults();
    const takeOver = () => pool.query(`UPDATE usage_cube_day SET attempt = attempt + 1 WHERE ${DAY_OF_ORGANIZATION}`, bindDay(TODAY));
    expect(await build(through(takeOver))).toEqual({ built: 0, left: 1 });
    await expectSameResults();
    expect((await Promise.all([build(), build()])).map(({ built }) => built).sort()).toEqual([0, 1]);
    expect(await readDay()).toMatchObject({ exact: CLOSED });
    await expectSameResults();
  });

  test('stay as they are when the day is over and settles, and until what is changed of it is built again', async () => {
    await apply(USAGE);
    nowMs = TODAY + DAY_MS + 0.5 * HOUR_MS;
    await build();
    expect(await readDay()).toEqual({ state: 'stale', exact: 24, watched: 24 });
    await expectSameResults();
    nowMs = TODAY + DAY_MS + 1.5 * HOUR_MS;
    const dies = interruptBefore(pool, 'weir-end-cubes', () => Promise.reject(new Error('killed')));
    await expect(build(dies)).rejects.toThrow('killed');
    expect(await readDay()).toEqual({ state: 'building', exact: 24, watched: 24 });
    await expectSameResults();
    await apply([eventIn(20, 3)]);
    expect(await readDay()).toEqual({ state: 'stale', exact: 20, watched: 20 });
    await expectSameResults();
    expect(await build()).toEqual({ built: 2, left: 0 });
    expect(await readDay()).toEqual({ state: 'exact', exact: 24, watched: 24 });
    await expectSameResults();
    await apply([eventIn(6, 3)]);
    expect(await readDay()).toEqual({ state: 'stale', exact: 6, watched: 6 });
    await expectSameResults();
    await pool.query('UPDATE usage_cube SET cost_pico = cost_pico + 1 WHERE period_start >= $1 AND period_start < $2', [
      ...[new Date(TODAY), new Date(TODAY + 6 * HOUR_MS)],
    ]);
    expect(await countSame()).toBeLessThan(2 * QUESTIONS.length);
  });

  test('of a day that the version before makes stale and builds, which knows nothing of hours', async () => {
    await apply(USAGE);
    await build();
    const makeStale = () => pool.query(`UPDATE usage_cube_day SET state = 'stale' WHERE ${DAY_OF_ORGANIZATION}`, bindDay(YESTERDAY));
    await makeStale();
    await applyAsBefore(eventIn(-4));
    expect(await readDay(YESTERDAY)).toEqual({ state: 'stale', exact: 20, watched: 20 });
    await expectSameResults();
    const begin = () =>
      pool.query(`UPDATE usage_cube_day SET state = 'building', attempt = attempt + 1 WHERE ${DAY_OF_ORGANIZATION}`, bindDay(YESTERDAY));
    const end = () =>
      pool.query(
        `UPDATE usage_cube_day SET state = 'exact', cubes = 5 WHERE ${DAY_OF_ORGANIZATION} AND state = 'building'`,
        bindDay(YESTERDAY),
      );
    await begin();
    await expectSameResults();
    await applyAsBefore(eventIn(-2));
    expect((await end()).rowCount).toBe(0);
    // What it would have written: the same cubes of the same hours.
    await build();
    await pool.query(`UPDATE usage_cube_day SET exact_hours = 20, watched_hours = 20 WHERE ${DAY_OF_ORGANIZATION}`, bindDay(YESTERDAY));
    await begin();
    expect((await end()).rowCount).toBe(1);
    await expectSameResults();
    await makeStale();
    await applyAsBefore(eventIn(-3));
    expect(await readDay(YESTERDAY)).toEqual({ state: 'stale', exact: 20, watched: 20 });
    await expectSameResults();
    await build();
    await expectSameResults();
  });
});
