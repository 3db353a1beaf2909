import { randomUUID } from 'node:crypto';
import type { UsageEvent, UsageResponse } from '@weir/contracts';
import { formatUsd, parseUsd } from '@weir/pricing';
import { makeUsageEvent, NO_UNITS, ORGANIZATION_ID, sequenceEvents } from '@weir/testing';
import { DAY_MS, HOUR_MS, instantKey, parseUsageQuery, SERIES_LIMITS, type UsageStore } from '@weir/usage';
import * as fc from 'fast-check';
import { clearUsage } from '../../__fixtures__/clear-usage';
import { startTestDatabase, type TestDatabase } from '../../__fixtures__/test-database';
import { createUsageStore } from '../create-usage-store';
import { keepPartitions } from '../partitions/keep-partitions';

const HOUR = Date.UTC(2026, 7, 7, 10);
const OTHER_KEY = '55555555-5555-4555-8555-555555555555';

let server: TestDatabase;
let store: UsageStore;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await clearUsage(server.database.pool);
  store = createUsageStore({ pool: server.database.pool, now: () => HOUR + 2 * DAY_MS });
});

async function apply(events: readonly UsageEvent[]): Promise<void> {
  expect(await store.applyBatch(sequenceEvents(randomUUID(), events), null)).toMatchObject({ applied: events.length });
}

type Asked = { readonly startMs: number; readonly endMs: number; readonly more?: Record<string, unknown>; readonly apiKeyId?: string };

async function read({ startMs, endMs, more = {}, apiKeyId }: Asked): Promise<UsageResponse> {
  const scope = { organizationId: ORGANIZATION_ID, ...(apiKeyId === undefined ? {} : { apiKeyId }) };
  // As a process that has just started does: it has no result in its memory, and no series.
  const fresh = createUsageStore({ pool: server.database.pool, now: () => HOUR + 2 * DAY_MS });
  return fresh.readUsage(parseUsageQuery({ start: instantKey(startMs), end: instantKey(endMs), ...more }, scope));
}

type Counts = Record<string, bigint>;

/** Everything a result says, by period, group and member. */
function listCounts({ usage }: UsageResponse): Counts {
  const counts: Counts = {};
  for (const [period, { grouped_data: groups = [], ...entry }] of Object.entries(usage)) {
    for (const { group_by_values, ...numbers } of [{ ...entry, group_by_values: {} }, ...groups]) {
      const name = `${period} ${JSON.stringify(group_by_values)}`;
      for (const [member, value] of Object.entries(numbers)) {
        counts[`${name} ${member}`] = typeof value === 'string' ? parseUsd(value) : BigInt(value);
      }
    }
  }
  return counts;
}

function addCounts(all: readonly Counts[]): Counts {
  const sums: Counts = {};
  for (const counts of all) for (const [key, count] of Object.entries(counts)) sums[key] = (sums[key] ?? 0n) + count;
  return sums;
}

/** Interrupted, uncharged, retried, of every modality and with more values of a free field than are kept apart. */
function makeMixed(at: number, admittedAt: number): UsageEvent {
  const statuses = ['ok', 'aborted_crash', 'client_closed', 'upstream_error'] as const;
  const modalities = ['chat', 'embedding', 'image', 'speech', 'transcription'] as const;
  const uncharged = at % 11 === 0 ? { uncharged: { units: { ...NO_UNITS, in: 9 }, cost_p: '900' } } : {};
  return makeUsageEvent({
    ...{ admitted_at: admittedAt, logical: at % 7 !== 0, attempt_no: at % 7 === 0 ? 2 : 1, modality: modalities[at % 5] ?? 'chat' },
    ...{
      status: statuses[at % 4] ?? 'ok',
      model_used: `vendor/m${at % 3}`,
      api_key_id: at % 2 === 0 ? OTHER_KEY : makeUsageEvent().api_key_id,
    },
    ...{ cost_p: at % 11 === 0 ? '0' : String(1_000_000_007n * BigInt(at + 1)), billed_p: at % 5 === 0 ? '0' : '1' },
    ...{
      extra: at % 3 === 0 ? {} : { team: `t${at % 4}`, run: String(at), 'a b': 'not kept' },
      end_user_id: at % 6 === 0 ? null : `u${at % 6}`,
    },
    ...{ units: { ...NO_UNITS, in: at, out: at % 50, cached_in: at % 4, cache_w5m: at % 3, reasoning: at % 2 } },
    ...uncharged,
  });
}

const GROUPS = ['model_used', 'extra.team', 'extra.run', 'user_id', 'is_byok'];

it('adds up: adjacent ranges of any bounds are the range as a whole, to the last digit, however usage came', async () => {
  const spanMs = 4 * HOUR_MS;
  const events = Array.from({ length: 1_400 }, (_, at) => makeMixed(at, HOUR + ((at * 7_919_003) % spanMs)));
  await apply(events.slice(0, 700));
  await apply(events.slice(700, 1_000));
  // Late, when the hours are over and prepared.
  store = createUsageStore({ pool: server.database.pool, now: () => HOUR + 20 * DAY_MS });
  await apply(events.slice(1_000));

  const bounds = fc.uniqueArray(fc.integer({ min: 1, max: spanMs - 1 }), { minLength: 1, maxLength: 5 });
  const anyQuestion = fc.record({
    bounds,
    resolution: fc.constantFrom('hour', 'day', 'month'),
    groupBy: fc.subarray(GROUPS),
    apiKeyId: fc.option(fc.constant(OTHER_KEY), { nil: undefined }),
    filter: fc.constantFrom(
      {},
      { filter: { 'extra.team': ['t1', 'Unknown'] } },
      { filter: { model_used: 'vendor/m1', user_id: ['u1', 'u4', 'Unknown'] } },
    ),
  });
  await fc.assert(
    fc.asyncProperty(anyQuestion, async ({ bounds: inner, resolution, groupBy, apiKeyId, filter }) => {
      const at = [0, ...inner.sort((a, b) => a - b), spanMs].map((offset) => HOUR + offset);
      const shared = {
        more: { resolution, ...(groupBy.length > 0 ? { group_by: groupBy } : {}), ...filter },
        ...(apiKeyId === undefined ? {} : { apiKeyId }),
      };
      const parts = [];
      for (const [index, startMs] of at.slice(0, -1).entries()) parts.push(await read({ startMs, endMs: at[index + 1] ?? 0, ...shared }));
      const whole = listCounts(await read({ startMs: HOUR, endMs: HOUR + spanMs, ...shared }));
      expect(Object.keys(whole).length).toBeGreaterThan(0);
      expect(addCounts(parts.map(listCounts))).toEqual(whole);
    }),
    { numRuns: 40 },
  );
}, 120_000);

it('returns for each quarter of an hour what was used in it, and for a day what was used from the bound on', async () => {
  const quarter = HOUR_MS / 4;
  await apply([0, 1, 2, 3].map((at) => makeUsageEvent({ admitted_at: HOUR + at * quarter, cost_p: String(10n ** BigInt(at + 1)) })));
  const spendOf = async (startMs: number, endMs: number, resolution = 'hour'): Promise<unknown> =>
    Object.entries((await read({ startMs, endMs, more: { resolution } })).usage).map(([period, { spend }]) => [period, spend]);

  for (const at of [0, 1, 2, 3]) {
    const startMs = HOUR + at * quarter;
    expect(await spendOf(startMs, startMs + quarter)).toEqual([['2026-08-07T10:00:00Z', formatUsd(10n ** BigInt(at + 1))]]);
  }
  // Half-open, to the millisecond.
  expect(await spendOf(HOUR + 1, HOUR + quarter)).toEqual([]);
  expect(await spendOf(HOUR + 1, HOUR + quarter + 1, 'day')).toEqual([['2026-08-07T00:00:00Z', formatUsd(100n)]]);
  expect(await spendOf(HOUR + quarter, HOUR + 3 * quarter + 1, 'month')).toEqual([['2026-08-01T00:00:00Z', formatUsd(11_100n)]]);
});

it('puts free text where counting put it: beyond the bounds of its day, and in an hour that was full', async () => {
  const { pool } = server.database;
  const values = SERIES_LIMITS.extraValuesPerDayMax + 20;
  await apply(Array.from({ length: values }, (_, at) => makeUsageEvent({ admitted_at: HOUR + at, extra: { run: `r${at}` } })));
  const range = { startMs: HOUR, endMs: HOUR + HOUR_MS - 1, more: { group_by: 'extra.run', resolution: 'hour' } };
  const hour = await read({ ...range, endMs: HOUR + HOUR_MS });
  expect(listCounts(await read(range))).toEqual(listCounts(hour));
  expect(hour.usage['2026-08-07T10:00:00Z']?.grouped_data?.[0]).toMatchObject({
    group_by_values: { 'extra.run': '__other__' },
    total_requests: 20,
  });

  // As if the hour had had no place for one of its series, which then counts under the one that its free text is folded into.
  await apply([
    makeUsageEvent({ admitted_at: HOUR + HOUR_MS, end_user_id: '__other__' }),
    makeUsageEvent({ admitted_at: HOUR + DAY_MS, end_user_id: 'late' }),
  ]);
  await pool.query(
    'UPDATE usage_event SET payload = replace(payload::text, \'"end_user_id":"__other__"\', \'"end_user_id":"late"\')::json',
  );
  await pool.query("INSERT INTO usage_bound_met VALUES ($1, '2026-08-07T00:00Z', 'series', '')", [ORGANIZATION_ID]);
  const full = await read({ startMs: HOUR + HOUR_MS, endMs: HOUR + HOUR_MS + 1, more: { group_by: 'user_id' } });
  expect(full.usage['2026-08-07T00:00:00Z']?.grouped_data).toMatchObject([
    { group_by_values: { user_id: '__other__' }, total_requests: 1 },
  ]);
});

describe('beyond what is kept', () => {
  const later = Date.UTC(new Date().getUTCFullYear() + 1, 4, 20, 12, 30);
  const kept = (eventDays: number) => ({ eventDays, hourDays: 135, dayMonths: 25 });

  it('refuses a bound inside an hour whose events are dropped with the bounds beside it, and accepts bounds on the hour', async () => {
    const { pool } = server.database;
    store = createUsageStore({ pool, now: () => later });
    await keepPartitions({ pool, now: () => later, retention: kept(45) });
    await apply([makeUsageEvent({ admitted_at: later, cost_p: '7' })]);
    const ask = (startMs: number, endMs: number) => read({ startMs, endMs });
    expect(Object.values((await ask(later, later + 1)).usage)).toMatchObject([{ total_requests: 1 }]);

    await keepPartitions({ pool, now: () => later + 50 * DAY_MS, retention: kept(45) });
    const onTheHour = later - HOUR_MS / 2;
    const year = new Date(later).getUTCFullYear();
    await expect(ask(later, later + HOUR_MS)).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'start' } });
    await expect(ask(onTheHour, later)).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'end' } });
    await expect(ask(onTheHour, later)).rejects.toThrow(`${year}-05-20T12:00:00Z or ${year}-05-20T13:00:00Z`);
    expect(Object.values((await ask(onTheHour, onTheHour + HOUR_MS)).usage)).toMatchObject([{ total_requests: 1, spend: formatUsd(7n) }]);
  });

  it('refuses queries by the hour, or from within a day or month, what is kept by the day or month only', async () => {
    const { pool } = server.database;
    store = createUsageStore({ pool, now: () => later });
    await apply([makeUsageEvent({ admitted_at: later })]);
    const [day, year] = [Date.UTC(new Date(later).getUTCFullYear(), 4, 20), new Date(later).getUTCFullYear()];
    await keepPartitions({ pool, now: () => day + 200 * DAY_MS, retention: kept(45) });
    const ask = (resolution: string, startMs = day, endMs = day + DAY_MS) => read({ startMs, endMs, more: { resolution } });

    await expect(ask('hour')).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'resolution' } });
    await expect(ask('day', day + HOUR_MS)).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'start' } });
    expect(Object.values((await ask('day')).usage)).toMatchObject([{ total_requests: 1 }]);
    // Nothing was used on the day before, whatever is kept of it.
    expect((await ask('hour', day - DAY_MS, day)).usage).toEqual({});

    await pool.query('DELETE FROM usage_day');
    await expect(ask('day')).rejects.toThrow('resolution=month');
    const month = { startMs: Date.UTC(year, 4), endMs: Date.UTC(year, 5), more: { resolution: 'month' } };
    expect(Object.values((await read(month)).usage)).toMatchObject([{ total_requests: 1 }]);
  });
});
