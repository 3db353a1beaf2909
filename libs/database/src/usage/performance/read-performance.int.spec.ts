import { randomUUID } from 'node:crypto';
import type { PerformanceResponse, UsageEvent } from '@weir/contracts';
import { makeUsageEvent, sequenceEvents } from '@weir/testing';
import { HOUR_MS, parseUsageQuery, type UsageScope, type UsageStore } from '@weir/usage';
import { startTestDatabase, type TestDatabase } from '../../__fixtures__/test-database';
import { createUsageStore } from '../create-usage-store';
import { createQueryQueue } from '../queries/create-query-queue';
import { createPerformanceReader } from './read-performance';

const DAY = Date.UTC(2026, 7, 7);
const NOW = Date.UTC(2026, 7, 9);
const OTHER_KEY = '55555555-5555-4555-8555-555555555555';
const MEMBER = '66666666-6666-4666-8666-666666666666';
const GROUP = '77777777-7777-4777-8777-777777777777';
const day = '2026-08-07T00:00:00Z';

let server: TestDatabase;
let store: UsageStore;
let organizationId: string;

beforeAll(async () => {
  server = await startTestDatabase();
  organizationId = (await server.database.prisma.organization.create({ data: { name: 'Acme' } })).id;
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { pool } = server.database;
  await pool.query('TRUNCATE usage_writer, usage_event, usage_series, usage_hour, usage_day, usage_month, spend_month');
  store = createUsageStore({ pool, now: () => NOW });
});

/** A request that took so long, and a tenth of it to the first byte. */
function build(ms: number, more: Partial<UsageEvent> = {}): UsageEvent {
  const admittedAt = more.admitted_at ?? DAY + HOUR_MS;
  const times = { admitted_at: admittedAt, ended_at: admittedAt + ms, dur_ms: ms, ttft_ms: Math.floor(ms / 10) };
  return makeUsageEvent({ org_id: organizationId, ...times, ...more });
}

async function apply(events: readonly UsageEvent[]): Promise<void> {
  expect(await store.applyBatch(sequenceEvents(randomUUID(), events), null)).toMatchObject({ applied: events.length });
}

function read(parameters: Record<string, unknown>, scope: Partial<UsageScope> = {}): Promise<PerformanceResponse> {
  return store.readPerformance(parseUsageQuery(parameters, { organizationId, ...scope }));
}

const failed = { status: 'upstream_error', http_status: 500, ttft_ms: null } as const;

test('nothing used is nothing, and no share of it', async () => {
  expect(await read({ start: day, group_by: 'model_used' })).toMatchObject({
    performance: {},
    total: { requests: 0, errors: 0, error_share: null, milliseconds: { mean: null, p50: null, p95: null }, grouped_data: [] },
    is_sampled: false,
    sample: { requests: 0, of: 0 },
  });
});

test('known times have known percentiles, by period and as a whole', async () => {
  // 10, 20 … 1000 on one day, and one of 5000 on the next.
  await apply(Array.from({ length: 100 }, (_, at) => build((at + 1) * 10)));
  await apply([build(5000, { admitted_at: DAY + 30 * HOUR_MS })]);
  const { performance, total, is_sampled: isSampled, sample } = await read({ start: day, end: '2026-08-09T00:00:00Z' });

  expect(performance).toEqual({
    [day]: {
      ...{ requests: 100, errors: 0, error_share: 0, attempts: 100, attempt_errors: 0 },
      milliseconds: { mean: 505, p50: 500, p95: 950 },
      first_byte_milliseconds: { mean: 50.5, p50: 50, p95: 95 },
    },
    '2026-08-08T00:00:00Z': expect.objectContaining({ requests: 1, milliseconds: { mean: 5000, p50: 5000, p95: 5000 } }),
  });
  expect(total.milliseconds).toEqual({ mean: 549.505, p50: 510, p95: 960 });
  expect([isSampled, sample]).toEqual([false, { requests: 101, of: 101 }]);
});

test('a request is an error when its last attempt failed; the caller who left is none, and a crash has no time', async () => {
  const retried = randomUUID();
  await apply([
    build(100, { request_id: retried, logical: false, model_used: 'a', ...failed }),
    build(200, { request_id: retried, attempt_no: 2, model_used: 'b', event_id: `${retried}:2` }),
    build(300, { model_used: 'b', ...failed }),
    build(400, { model_used: 'b', status: 'client_closed' }),
    build(500, { model_used: 'b', status: 'aborted_crash' }),
  ]);
  const { total, is_sampled: isSampled } = await read({ start: day, group_by: 'model_used' });

  expect(total).toMatchObject({ requests: 4, errors: 2, error_share: 0.5, attempts: 5, attempt_errors: 3 });
  expect(total.milliseconds).toMatchObject({ p50: 300, p95: 400 });
  expect(total.first_byte_milliseconds).toMatchObject({ p50: 20, p95: 40 });
  expect(total.grouped_data).toMatchObject([
    { group_by_values: { model_used: 'b' }, requests: 4, errors: 2, attempt_errors: 2, milliseconds: { p50: 300 } },
    { group_by_values: { model_used: 'a' }, requests: 0, errors: 0, error_share: null, attempt_errors: 1, milliseconds: { p50: null } },
  ]);
  expect(isSampled).toBe(false);
});

test('what the clocks of two machines say, and what the last attempt took, as the list of requests has it', async () => {
  await apply([build(0, { ended_at: DAY + HOUR_MS + 700, dur_ms: 500, ttft_ms: 100 })]);
  const { total } = await read({ start: day });

  expect(total.milliseconds).toEqual({ mean: 500, p50: 700, p95: 700 });
  expect(total.first_byte_milliseconds).toEqual({ mean: 100, p50: 300, p95: 300 });
});

test('filters, parts of hours and groups hold for errors and times alike, and requests agree with usage', async () => {
  await apply(
    Array.from({ length: 48 }, (_, at) =>
      build(100 + at, {
        admitted_at: DAY + at * HOUR_MS * 0.5,
        model_used: at % 2 === 0 ? 'even' : 'odd',
        api_key_id: at % 3 === 0 ? OTHER_KEY : randomUUID(),
        extra: { team: at % 4 === 0 ? 'red' : 'blue' },
        ...(at % 6 === 0 ? failed : {}),
      }),
    ),
  );
  const questions: Record<string, unknown>[] = [
    { start: day },
    { start: '2026-08-07T01:15:00Z', end: '2026-08-07T20:40:00Z', resolution: 'hour' },
    { start: day, group_by: ['model_used', 'extra.team'], resolution: 'month' },
    { start: day, filter: { model_used: 'even' }, group_by: 'api_key_id' },
    { start: '2026-08-07T00:00:01Z', filter: { 'extra.team': ['red'], api_key_id: OTHER_KEY } },
  ];
  for (const question of questions) {
    const { performance, total, is_sampled: isSampled } = await read(question);
    const { usage } = await store.readUsage(parseUsageQuery(question, { organizationId }));

    expect(isSampled).toBe(false);
    expect(Object.entries(performance).map(([period, { requests }]) => [period, requests])).toEqual(
      Object.entries(usage).map(([period, { total_requests: requests }]) => [period, requests]),
    );
    const sum = Object.values(performance).reduce((errors, entry) => errors + entry.errors, 0);
    expect(total.errors).toBe(sum);
    for (const entry of Object.values(performance)) {
      expect(entry.milliseconds.p95).not.toBeNull();
      for (const group of entry.grouped_data ?? []) expect(group.milliseconds.p50).not.toBeNull();
    }
  }
  const { total } = await read({ start: day, filter: { model_used: 'odd' } });
  expect(total).toMatchObject({ requests: 24, errors: 0, milliseconds: { p50: 123, p95: 145 } });
});

test('a member sees their own requests and those of their groups, and no one those of another organization', async () => {
  await apply([
    build(100, { user_id: MEMBER }),
    build(200, { group_id: GROUP, ...failed }),
    build(300, { user_id: randomUUID(), group_id: randomUUID() }),
    build(400, { org_id: randomUUID() }),
  ]);
  const member = { reach: { userId: MEMBER, groupIds: [] } };
  const admin = { reach: { userId: randomUUID(), groupIds: [GROUP] } };

  expect((await read({ start: day }, member)).total).toMatchObject({ requests: 1, errors: 0, milliseconds: { mean: 100, p95: 100 } });
  expect((await read({ start: day }, admin)).total).toMatchObject({ requests: 1, errors: 1, milliseconds: { mean: 200, p95: 200 } });
  expect((await read({ start: day })).total).toMatchObject({ requests: 3, milliseconds: { p50: 200, p95: 300 } });
  expect((await read({ start: day }, { organizationId: randomUUID() })).total.requests).toBe(0);
});

test('of more requests than are read one by one the times are of a sample, spread evenly, and all else is of all', async () => {
  const requests = 4_800;
  const events = Array.from({ length: requests }, (_, at) =>
    build(1 + (((at * 7919) % 4801) % 100), { admitted_at: DAY + (at * 48 * HOUR_MS) / requests }),
  );
  for (let at = 0; at < requests; at += 800) await apply(events.slice(at, at + 800));
  const limits = { exactMax: 1_000, sampleMax: 480, slicesMax: 96 };
  const sampled = createPerformanceReader(
    { pool: server.database.pool, now: () => NOW, queue: createQueryQueue({ runningMax: 1, waitingMax: 1 }) },
    limits,
  );
  const query = parseUsageQuery({ start: day, end: '2026-08-09T00:00:00Z' }, { organizationId });
  const { performance, total, is_sampled: isSampled, sample } = await sampled(query);

  expect([isSampled, sample]).toEqual([true, { requests: 480, of: requests }]);
  expect(total).toMatchObject({ requests, milliseconds: { mean: expect.closeTo(50.5, 0) } });
  expect(Math.abs((total.milliseconds.p50 ?? 0) - 50)).toBeLessThanOrEqual(8);
  expect(Object.values(performance).map((entry) => entry.requests)).toEqual([2_400, 2_400]);
  // One hour of it is few enough.
  const hour = await sampled({ ...query, endMs: query.startMs + HOUR_MS });
  expect([hour.is_sampled, hour.sample]).toEqual([false, { requests: 100, of: 100 }]);
});

test('where events are no longer kept, it says of how many requests the times are', async () => {
  await apply([build(100), build(200)]);
  await server.database.pool.query("DELETE FROM usage_event WHERE payload->>'dur_ms' = '100'");
  const answer = await read({ start: day });

  expect([answer.is_sampled, answer.sample]).toEqual([true, { requests: 1, of: 2 }]);
  expect(answer.total).toMatchObject({ requests: 2, milliseconds: { mean: 150, p50: 200 } });
});
