import { randomUUID } from 'node:crypto';
import type { UsageEvent, UsageResponse } from '@weir/contracts';
import { replayDeadLetters } from '@weir/database';
import { describeWithRealParts, makeUsageEvent, sequenceEvents } from '@weir/testing';
import { DAY_MS, HOUR_MS, parseUsageQuery } from '@weir/usage';
import * as fc from 'fast-check';
import { failAt } from '../__fixtures__/faulty-clickhouse';
import { anyEvent, anyQuestion, SPAN } from '../__fixtures__/random-usage';
import { startBench, type Bench, type Stores } from '../__fixtures__/start-bench';
import { forgetBuilds } from '../compare/forget-builds';
import { createClickHouse } from '../connection/create-clickhouse';

const NOW = SPAN.endMs + 2 * DAY_MS;

// Two of these ask the embedded engine some hundred questions, which takes a minute where other suites run beside.
jest.setTimeout(300_000);

describeWithRealParts(['clickhouse', 'postgres'], 'usage that is fed to ClickHouse', () => {
  let bench: Bench;
  let stores: Stores;
  let nowMs: number;
  beforeAll(async () => {
    bench = await startBench();
  }, 300_000);
  afterAll(() => bench.stop());
  beforeEach(async () => {
    nowMs = NOW;
    stores = await bench.open({ nowMs, eventsAtOnce: 40 });
  });
  afterEach(() => stores.close());

  const draw = <Value>(of: fc.Arbitrary<Value>, count: number, seed: number): Value[] => fc.sample(of, { numRuns: count, seed });
  const makeEvents = (count: number, seed = 1): UsageEvent[] => draw(anyEvent(stores), count, seed);
  const feedAgain = async (feeder = stores.feeder): Promise<void> => {
    stores.setNow((nowMs += 61_000)); // sums are built once a minute
    await feeder.feedOnce();
  };
  /** Both stores reply to the same questions with the same, byte for byte; `from`: who has to have been asked. */
  const expectEqual = async (questions: readonly Record<string, unknown>[]): Promise<void> => {
    for (const question of questions) {
      const query = parseUsageQuery(question, { organizationId: stores.organizationId });
      const reply = await stores.columnar.readUsage(query);
      expect([stores.outcomes.at(-1), question]).toEqual(['clickhouse', question]);
      expect([JSON.stringify(reply), question]).toEqual([JSON.stringify(await stores.postgres.readUsage(query)), question]);
    }
  };
  const countRequests = ({ usage }: UsageResponse): number => Object.values(usage).reduce((sum, entry) => sum + entry.total_requests, 0);
  const WHOLE = { start: '2026-07-30T00:00:00Z', end: '2026-08-03T00:00:00Z' };
  const whole = ['hour', 'day', 'month'].map((resolution) => ({ ...WHOLE, resolution, group_by: ['model_used', 'extra.team'] }));

  test('whatever comes in whatever order and however often, both stores reply with the same to any question', async () => {
    const events = makeEvents(400);
    const writers = [randomUUID(), randomUUID(), randomUUID()];
    const sequenced = writers.flatMap((writerId, at) =>
      sequenceEvents(
        writerId,
        events.filter((_, index) => index % 3 === at),
      ),
    );
    const batches = draw(fc.uniqueArray(fc.integer({ min: 0, max: sequenced.length - 1 }), { minLength: 1, maxLength: 120 }), 12, 2);
    for (const [round, batch] of batches.entries()) {
      await stores.postgres.applyBatch(
        batch.map((at) => sequenced[at]!),
        null,
      );
      await feedAgain();
      await expectEqual(draw(anyQuestion(stores), 4, 100 + round));
    }
    await stores.postgres.applyBatch(sequenced, null);
    await stores.rerate({ fromMs: SPAN.startMs, toMs: SPAN.startMs + DAY_MS });
    await feedAgain();
    await expectEqual([...draw(anyQuestion(stores), 25, 3), ...whole]);
    await stores.rerate({ fromMs: SPAN.startMs, toMs: SPAN.endMs });
    await feedAgain();
    await expectEqual([...draw(anyQuestion(stores), 10, 4), ...whole]);
  });

  test('a process that dies at any step is followed by another, and nothing is lost or counted twice', async () => {
    const events = makeEvents(900, 5);
    let fed = 0;
    await feedAgain();
    const byHour = whole.slice(0, 1);
    for (let at = 1, isOver = false; !isOver; at += 1) {
      for (const isCarriedOut of [false, true]) {
        await stores.count(events.splice(0, 10));
        await stores.forgetLease();
        const dying = failAt(stores.clickhouse, { at, isCarriedOut });
        stores.setNow((nowMs += 61_000));
        const hasDied = await stores
          .createFeeder(dying)
          .feedOnce()
          .then(
            () => false,
            () => true,
          );
        await stores.forgetLease();
        // What the dead one has written may be seen already, yet nothing twice, and nothing that Postgres does not have.
        const query = parseUsageQuery(WHOLE, { organizationId: stores.organizationId });
        const [seen, truth] = [await stores.columnar.readUsage(query), await stores.postgres.readUsage(query)];
        expect(countRequests(seen)).toBeLessThanOrEqual(countRequests(truth));
        expect(countRequests(seen)).toBeGreaterThanOrEqual(fed);
        await feedAgain(stores.createFeeder());
        await expectEqual(byHour);
        fed = countRequests(truth);
        isOver ||= !hasDied;
      }
    }
    await expectEqual(whole);
    expect(events.length).toBeLessThan(800);
  });

  test('late usage takes back the sums of its hour, day and month, and they are built again', async () => {
    await stores.count(makeEvents(60, 6));
    await feedAgain();
    await expectEqual(whole);
    const builds = async (): Promise<number> =>
      Number((await stores.clickhouse.read<[string]>('SELECT toString(count(DISTINCT build)) FROM usage_rollup'))[0]?.[0]);
    const before = await builds();
    await stores.count([makeUsageEvent({ org_id: stores.organizationId, admitted_at: SPAN.startMs + HOUR_MS, cost_p: '7' })]);
    await stores.feeder.feedOnce(); // within the minute nothing is built: the hour is read from events
    await expectEqual(whole);
    expect(await builds()).toBe(before);
    await feedAgain();
    await expectEqual(whole);
    expect(await builds()).toBeGreaterThan(before);
    const kept = await builds();
    await forgetBuilds(stores.clickhouse, Number.MAX_SAFE_INTEGER);
    expect(await builds()).toBeLessThan(kept);
    await expectEqual(whole);
  });

  test('dead letters come when they are replayed', async () => {
    const late = makeUsageEvent({ org_id: stores.organizationId, admitted_at: NOW - 40 * DAY_MS, cost_p: '11' });
    const writerId = await stores.count([late, makeUsageEvent({ org_id: stores.organizationId, admitted_at: SPAN.startMs })]);
    await feedAgain();
    const { pool } = stores.database;
    expect((await pool.query('SELECT fed::text AS fed FROM usage_fed WHERE writer_id = $1', [writerId])).rows).toEqual([
      { fed: '{[1,2)}' },
    ]);
    await replayDeadLetters({ pool, acceptLate: true });
    await feedAgain();
    await expectEqual([{ start: '2026-06-20T00:00:00Z', end: '2026-08-20T00:00:00Z', group_by: 'model_used' }]);
    expect((await pool.query('SELECT fed::text AS fed FROM usage_fed WHERE writer_id = $1', [writerId])).rows).toEqual([
      { fed: '{[0,2)}' },
    ]);
  });

  test('while ClickHouse is away usage is counted and Postgres replies; it catches up, also after it was killed in mid-work', async () => {
    await stores.count(makeEvents(50, 7));
    await feedAgain();
    const query = parseUsageQuery(WHOLE, { organizationId: stores.organizationId });
    const away = stores.createFeeder(createClickHouse({ url: 'http://127.0.0.1:9', database: 'x', user: 'default', password: '' }));
    await stores.forgetLease();
    await stores.count(makeEvents(200, 8));
    await expect(away.feedOnce()).rejects.toThrow();
    expect(stores.metrics.failed).toBe(1);
    await stores.forgetLease();
    const feeding = feedAgain().catch(() => undefined);
    await bench.engine.kill?.();
    await feeding;
    expect(await stores.columnar.readUsage(query)).toEqual(await stores.postgres.readUsage(query));
    expect(stores.outcomes.at(-1)).toMatch(/failed|behind/);
    await bench.engine.startAgain?.();
    await feedAgain();
    await expectEqual(whole);
  });

  test('what ClickHouse does not have, or not yet, Postgres replies to', async () => {
    const query = parseUsageQuery(WHOLE, { organizationId: stores.organizationId });
    const outcome = async (): Promise<unknown> => {
      expect(await stores.columnar.readUsage(query)).toEqual(await stores.postgres.readUsage(query));
      return stores.outcomes.at(-1);
    };
    await stores.count(makeEvents(20, 9));
    expect(await outcome()).toBe('never_fed');
    await feedAgain();
    expect(await outcome()).toBe('clickhouse');
    const { pool } = stores.database;
    await pool.query("UPDATE usage_writer SET updated_at = updated_at + interval '61 seconds'");
    expect(await outcome()).toBe('behind');
    await feedAgain();
    await pool.query("UPDATE usage_feed SET fed_since = '2026-07-30T00:00:01Z'");
    expect(await outcome()).toBe('before_it_was_fed');
    await pool.query("UPDATE usage_feed SET fed_since = '2026-07-30T00:00:00Z'");
    expect(await outcome()).toBe('clickhouse');
  });

  test('a ClickHouse that was emptied is noticed by readers at once, and fed again with all that there is', async () => {
    await stores.count(makeEvents(90, 12));
    await feedAgain();
    for (const table of ['usage_event', 'usage_rollup', 'usage_period', 'usage_pass'])
      await stores.clickhouse.run(`DROP TABLE ${table} SYNC`);
    const query = parseUsageQuery(WHOLE, { organizationId: stores.organizationId });
    expect(await stores.columnar.readUsage(query)).toEqual(await stores.postgres.readUsage(query));
    expect(stores.outcomes.at(-1)).toBe('failed');
    await expect(feedAgain()).rejects.toThrow();
    await feedAgain();
    expect(await stores.columnar.readUsage(query)).toEqual(await stores.postgres.readUsage(query));
    expect(stores.outcomes.at(-1)).toBe('never_fed');
    await feedAgain();
    await expectEqual(whole);
  });

  test('a Postgres that was put back to an earlier state goes on behind what ClickHouse knows', async () => {
    await stores.count(makeEvents(90, 13));
    await feedAgain();
    await stores.database.pool.query('UPDATE usage_feed SET run = 0, written_run = 0, fed_as_of = NULL; DELETE FROM usage_fed');
    await stores.count([makeUsageEvent({ org_id: stores.organizationId, admitted_at: SPAN.startMs, cost_p: '5' })]);
    await feedAgain();
    await feedAgain();
    await expectEqual(whole);
  });

  test('one process feeds at a time, and one that has lost its turn notes nothing', async () => {
    await stores.count(makeEvents(100, 10));
    const other = stores.createFeeder();
    await feedAgain();
    await stores.count(makeEvents(100, 11));
    await feedAgain(other);
    expect(stores.metrics).toMatchObject({ fed: 100, failed: 0 });
    const slow = stores.createFeeder({
      ...stores.clickhouse,
      insert: async (table, rows) => {
        await stores.clickhouse.insert(table, rows);
        if (table === 'usage_event') await stores.database.pool.query('UPDATE usage_feed SET leased_by = $1', [randomUUID()]);
      },
    });
    await stores.forgetLease();
    await expect(slow.feedOnce()).rejects.toThrow('another process feeds usage by now');
    await stores.forgetLease();
    await feedAgain();
    await expectEqual(whole);
  });
});
