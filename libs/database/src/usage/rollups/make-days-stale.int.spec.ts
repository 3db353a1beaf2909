import { randomUUID } from 'node:crypto';
import type { UsageEvent } from '@weir/contracts';
import { makeUsageEvent, sequenceEvents } from '@weir/testing';
import { DAY_MS, HOUR_MS } from '@weir/usage';
import { clearUsage } from '../../__fixtures__/clear-usage';
import { startTestDatabase, type TestDatabase } from '../../__fixtures__/test-database';
import { createUsageStore } from '../create-usage-store';
import { buildCubes } from '../cubes/build-cubes';

const MIDNIGHT = Date.UTC(2026, 7, 7);
const NOW = MIDNIGHT + 1.5 * HOUR_MS;
const ORGANIZATIONS = Array.from({ length: 150 }, () => randomUUID());
const ROUNDS = 12;

let server: TestDatabase;
const log = { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() };
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(() => clearUsage(server.database.pool));

function eventsAt(...instants: readonly number[]): UsageEvent[] {
  return instants.flatMap((admitted_at) => ORGANIZATIONS.map((org_id) => makeUsageEvent({ org_id, admitted_at })));
}

describe('days made stale by batches at once', () => {
  test('are locked in one order, whichever of their hours are new and whichever process begins to build them: no transaction is retried', async () => {
    const { pool } = server.database;
    const store = createUsageStore({ pool, now: () => NOW, log });
    const [before, after] = [MIDNIGHT - 2 * DAY_MS, MIDNIGHT - DAY_MS];
    const apply = (...instants: readonly number[]) => store.applyBatch(sequenceEvents(randomUUID(), eventsAt(...instants)), null);
    // Hours that one batch adds to and the other has none of.
    await apply(before, after + HOUR_MS);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const fresh = (round + 1) * HOUR_MS;
      await pool.query("UPDATE usage_cube_day SET state = 'exact'");
      const batches = [apply(before, after + fresh), apply(after + HOUR_MS, before + fresh)];
      await buildCubes({ pool, now: () => NOW });
      await Promise.all(batches);
    }
    expect(log.warn.mock.calls).toEqual([]);
    const { rows } = await pool.query<{ attempts: string }>('SELECT sum(attempts)::text AS attempts FROM usage_hour');
    expect(rows).toEqual([{ attempts: String((2 + 4 * ROUNDS) * ORGANIZATIONS.length) }]);
    expect(await buildCubes({ pool, now: () => NOW })).toMatchObject({ left: 0 });
    const cubes = await pool.query('SELECT sum(requests)::text AS requests FROM usage_cube WHERE cube = 1');
    const states = await pool.query('SELECT state, count(*)::int AS days FROM usage_cube_day GROUP BY state');
    expect([cubes.rows, states.rows]).toEqual([[{ requests: rows[0]?.attempts }], [{ state: 'exact', days: 2 * ORGANIZATIONS.length }]]);
  }, 120_000);

  test('the same for hours of today that are over, beside the current hour and a process that builds them', async () => {
    const { pool } = server.database;
    const now = () => MIDNIGHT + 20.5 * HOUR_MS;
    const store = createUsageStore({ pool, now, log });
    const build = () => buildCubes({ pool, now, hourRowsMin: 1 });
    const apply = (hourOf: (organization: number) => number) =>
      store.applyBatch(
        sequenceEvents(
          randomUUID(),
          ORGANIZATIONS.map((org_id, at) => makeUsageEvent({ org_id, admitted_at: MIDNIGHT + hourOf(at) * HOUR_MS })),
        ),
        null,
      );
    await apply(() => 3);
    for (let round = 1; round <= ROUNDS; round += 1) {
      await build();
      // An hour that every other organization has, and one that the others have none of yet.
      const batches = [0, 1].map((half) => apply((at) => (at % 2 === half ? 3 : 3 + round)));
      await Promise.all([apply(() => 20), build(), ...batches]);
    }
    expect(log.warn.mock.calls).toEqual([]);
    expect(await build()).toMatchObject({ left: 0 });
    const { rows } = await pool.query<{ hours: string; cubes: string }>(
      `SELECT (SELECT sum(requests)::text FROM usage_hour WHERE period_start < $1) AS hours,
        (SELECT sum(requests)::text FROM usage_cube WHERE cube = 1 AND period_start < $1) AS cubes`,
      [new Date(MIDNIGHT + 20 * HOUR_MS)],
    );
    const states = await pool.query(
      'SELECT exact_hours AS exact, watched_hours AS watched, count(*)::int AS days FROM usage_cube_day GROUP BY 1, 2 ORDER BY 1',
    );
    expect(rows).toEqual([{ hours: rows[0]?.hours, cubes: rows[0]?.hours }]);
    expect(states.rows).toEqual([{ exact: 20, watched: 20, days: ORGANIZATIONS.length }]);
  }, 120_000);
});
