import { randomBytes, randomUUID } from 'node:crypto';
import type { UsageEvent } from '@weir/contracts';
import { formatUsd } from '@weir/pricing';
import { makeUsageEvent, NO_UNITS, sequenceEvents } from '@weir/testing';
import { DIMENSIONS, HOUR_MS, parseUsageQuery, periodKey, periodStart, type Resolution, type UsageStore } from '@weir/usage';
import { startTestDatabase, type TestDatabase } from '../../__fixtures__/test-database';
import { createUsageStore } from '../create-usage-store';

const NOW = Date.UTC(2026, 8, 4);
const OTHER_KEY = '55555555-5555-4555-8555-555555555555';

let server: TestDatabase;
let store: UsageStore;
let organizationId: string;
let ids: { user: string; group: string; keyLabels: string; groupLabels: string };

beforeAll(async () => {
  server = await startTestDatabase();
  const { prisma } = server.database;
  const organization = await prisma.organization.create({ data: { name: 'Acme' } });
  const scope = { organizationId: organization.id };
  const user = await prisma.userAccount.create({ data: { email: 'ada@example.com' } });
  await prisma.orgMember.create({ data: { ...scope, userId: user.id } });
  const group = await prisma.userGroup.create({ data: { ...scope, name: 'Research' } });
  const keyLabels = await prisma.labelSet.create({ data: { ...scope, kind: 'key', labels: { env: 'prod' }, sha256: randomBytes(32) } });
  const groupLabels = await prisma.labelSet.create({
    data: { ...scope, kind: 'group', labels: { 'cost-center': '42' }, sha256: randomBytes(32) },
  });
  organizationId = organization.id;
  ids = { user: user.id, group: group.id, keyLabels: keyLabels.id, groupLabels: groupLabels.id };
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { pool } = server.database;
  await pool.query('TRUNCATE usage_writer, usage_event, usage_series, usage_hour, usage_day, usage_month, spend_month');
  // A store remembers series, which are never deleted in life.
  store = createUsageStore({ pool, now: () => NOW });
});

function build(more: Partial<UsageEvent> = {}): UsageEvent {
  return makeUsageEvent({ org_id: organizationId, ...more });
}

async function apply(events: readonly UsageEvent[]): Promise<void> {
  expect(await store.applyBatch(sequenceEvents(randomUUID(), events), null)).toMatchObject({ applied: events.length });
}

function read(parameters: Record<string, unknown>, apiKeyId?: string) {
  return store.readUsage(parseUsageQuery(parameters, { organizationId, ...(apiKeyId === undefined ? {} : { apiKeyId }) }));
}

const day = '2026-08-07T00:00:00Z';

describe('reading usage', () => {
  test('nothing used is an empty object', async () => {
    const answer = await read({ start: day });
    expect(answer.usage).toEqual({});
    expect(Date.parse(answer.as_of ?? '')).toBe(NOW);
  });

  test('one entry adds up everything, by modality, with exact money', async () => {
    await apply([
      build({ units: { ...NO_UNITS, in: 10, cached_in: 4, cache_w5m: 2, cache_w1h: 1, out: 7, reasoning: 3 }, cost_p: '100000000001' }),
      build({ modality: 'embedding', units: { ...NO_UNITS, in: 5 }, cost_p: '200000000002' }),
      build({ modality: 'image', units: { ...NO_UNITS, images: 1 }, cost_p: '0' }),
      build({ modality: 'speech', cost_p: '0', units: NO_UNITS }),
      build({ modality: 'transcription', cost_p: '0', units: NO_UNITS }),
      build({ logical: false, attempt_no: 2, cost_p: '1', units: NO_UNITS }),
    ]);
    const { usage, as_of } = await read({ start: day });
    expect(usage).toEqual({
      [day]: {
        completions_requests: 1,
        embedding_requests: 1,
        image_requests: 1,
        speech_requests: 1,
        transcription_requests: 1,
        total_requests: 5,
        spend: '0.300000000004',
        input_tokens: 22,
        output_tokens: 7,
        total_tokens: 29,
        cached_tokens: 4,
        reasoning_tokens: 3,
      },
    });
    expect(Math.abs(Date.parse(as_of ?? '') - Date.now())).toBeLessThan(60_000);
  });

  test('any range at any resolution equals what adding up the events by hand gives', async () => {
    const first = Date.UTC(2026, 6, 31, 20);
    const events = Array.from({ length: 34 * 24 }, (_, at) =>
      build({ admitted_at: first + at * HOUR_MS + 1_234_567, cost_p: String(10n ** 12n + BigInt(at)) }),
    );
    await apply(events);
    const ranges: [number, number][] = [
      [first, first + HOUR_MS],
      [first, first + 34 * 24 * HOUR_MS],
      [first + 3 * HOUR_MS, first + 5 * HOUR_MS],
      [first + 5.5 * HOUR_MS, first + 77.2 * HOUR_MS],
      [Date.UTC(2026, 7, 1), Date.UTC(2026, 8, 1)],
      [Date.UTC(2026, 6, 1) + 5, Date.UTC(2026, 8, 3) + 7],
    ];
    for (const resolution of ['hour', 'day', 'month'] as Resolution[]) {
      for (const [startMs, endMs] of ranges) {
        const inside = events.filter(({ admitted_at }) => admitted_at >= startMs && admitted_at < endMs);
        const expected = new Map<string, bigint>();
        for (const { admitted_at, cost_p } of inside) {
          const key = periodKey(periodStart(resolution, admitted_at));
          expected.set(key, (expected.get(key) ?? 0n) + BigInt(cost_p));
        }
        const { usage } = await read({ start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString(), resolution });
        expect(Object.entries(usage).map(([key, entry]) => [key, entry.spend])).toEqual(
          [...expected].map(([key, pico]) => [key, formatUsd(pico)]),
        );
      }
    }
  }, 30_000);

  test('one key sees its own usage only, an organization never sees another', async () => {
    await apply([build({ cost_p: '1000000000000' }), build({ api_key_id: OTHER_KEY, cost_p: '2000000000000' })]);
    await apply([makeUsageEvent({ cost_p: '4000000000000' })]);
    expect((await read({ start: day }, OTHER_KEY)).usage[day]?.spend).toBe('2');
    expect((await read({ start: day })).usage[day]?.spend).toBe('3');
  });

  describe('grouped', () => {
    const full = (): Partial<UsageEvent> => ({
      user_id: ids.user,
      group_id: ids.group,
      key_label_set_id: ids.keyLabels,
      group_label_set_id: ids.groupLabels,
      end_user_id: 'customer-7',
      model_requested: 'policy/best',
      model_used: 'vendor/large',
      provider_used: 'other',
      is_byok: true,
      origin_title: 'Chat app',
      extra: { team: 'red' },
      cost_p: '2000000000000',
    });

    test.each([
      ['group_name', () => 'Research', 'Unknown'],
      ['group_id', () => ids.group, 'Unknown'],
      ['member_id', () => ids.user, 'Unknown'],
      ['member_email', () => 'ada@example.com', 'Unknown'],
      ['user_id', () => 'customer-7', 'Unknown'],
      ['model_requested', () => 'policy/best', 'vendor/model'],
      ['model_used', () => 'vendor/large', 'vendor/model'],
      ['provider_used', () => 'other', 'vendor'],
      ['is_byok', () => 'true', 'false'],
      ['origin_title', () => 'Chat app', 'Unknown'],
      ['extra.team', () => 'red', 'Unknown'],
      ['api_key_label.env', () => 'prod', 'Unknown'],
      ['group_label.cost-center', () => '42', 'Unknown'],
    ])('by %s; without a value it is what stands there', async (name, value, without) => {
      await apply([build(full()), build({ cost_p: '1000000000000' })]);
      const entry = (await read({ start: day, group_by: name })).usage[day];
      expect(
        entry?.grouped_data?.map(({ group_by_values, spend, total_requests }) => ({ group_by_values, spend, total_requests })),
      ).toEqual([
        { group_by_values: { [name]: value() }, spend: '2', total_requests: 1 },
        { group_by_values: { [name]: without }, spend: '1', total_requests: 1 },
      ]);
      expect(entry).toMatchObject({ spend: '3', total_requests: 2 });
    });

    test('by several at once, and groups always add up to their period', async () => {
      const events = Array.from({ length: 1500 }, (_, at) =>
        build({
          admitted_at: Date.UTC(2026, 7, 7, at % 24),
          model_used: `m${at % 3}`,
          extra: { team: `t${at % 500}` },
          cost_p: String(at),
          is_byok: at % 2 === 0,
        }),
      );
      await apply(events);
      const { usage } = await read({ start: day, group_by: ['model_used', 'extra.team', 'is_byok', 'member_email'], resolution: 'day' });
      const entry = usage[day];
      expect(entry?.grouped_data).toHaveLength(1500);
      expect(entry?.grouped_data?.reduce((sum, group) => sum + group.total_requests, 0)).toBe(1500);
      expect(entry?.spend).toBe(formatUsd(events.reduce((sum, event) => sum + BigInt(event.cost_p), 0n)));
      expect(entry?.grouped_data?.[0]?.group_by_values).toEqual({
        model_used: 'm2',
        'extra.team': 't499',
        is_byok: 'false',
        member_email: 'Unknown',
      });
    });

    test('by any two at once, over a leap day and odd edges: the groups are the whole', async () => {
      const at = Date.UTC(2024, 1, 28, 22, 30);
      store = createUsageStore({ pool: server.database.pool, now: () => at + 40 * HOUR_MS });
      const events = Array.from({ length: 40 }, (_, hour) =>
        build({ ...(hour % 3 === 0 ? full() : {}), admitted_at: at + hour * HOUR_MS, extra: { 'a.b-c_d': `"q'${hour % 2}\\\n` } }),
      );
      await apply(events);
      const names = DIMENSIONS.map(({ name, match }) => (match === 'prefix' ? `${name}a.b-c_d` : name));
      const range = { start: '2024-02-28T22:30:00.001Z', end: '2024-03-01T13:30:00.001+01:00', resolution: 'hour' };
      for (const [index, first] of names.entries()) {
        for (const second of names.slice(index + 1)) {
          const entries = Object.values((await read({ ...range, group_by: [first, second] })).usage);
          const grouped = entries.flatMap(({ grouped_data }) => grouped_data ?? []);
          expect([entries, grouped].map((list) => list.reduce((sum, one) => sum + one.total_requests, 0))).toEqual([38, 38]);
          expect(grouped.every(({ group_by_values }) => Object.keys(group_by_values).join() === `${first},${second}`)).toBe(true);
        }
      }
    }, 30_000);

    test('names are of today, labels of the time of the request', async () => {
      await apply([build(full())]);
      const { prisma } = server.database;
      await prisma.userGroup.update({ where: { id: ids.group }, data: { name: 'Renamed', labelSetId: null } });
      const entry = (await read({ start: day, group_by: ['group_name', 'group_label.cost-center'] })).usage[day];
      expect(entry?.grouped_data?.[0]?.group_by_values).toEqual({ group_name: 'Renamed', 'group_label.cost-center': '42' });
      await prisma.userGroup.update({ where: { id: ids.group }, data: { name: 'Research', labelSetId: ids.groupLabels } });
    });
  });
});

describe('asked again', () => {
  test('returns a result from memory until an event of its months is counted, and the change in the next one', async () => {
    await apply([build({ cost_p: '1000000000000' })]);
    const ask = async () => (await read({ start: day })).usage[day]?.spend;
    expect(await ask()).toBe('1');
    // Behind the back of the store: only memory can still know.
    await server.database.pool.query('UPDATE usage_day SET cost_pico = 5000000000000');
    await apply([makeUsageEvent({ cost_p: '4000000000000' }), build({ admitted_at: Date.UTC(2026, 8, 2), cost_p: '8000000000000' })]);
    expect(await ask()).toBe('1');
    await apply([build({ cost_p: '2000000000000' })]);
    expect(await ask()).toBe('7');
  });

  test('a query that waits for a permit keeps no connection, and gets its result in the end', async () => {
    const { pool } = server.database;
    await apply([build({ cost_p: '1000000000000' })]);
    const blocker = await pool.connect();
    await blocker.query('BEGIN; LOCK TABLE usage_series IN ACCESS EXCLUSIVE MODE');
    const ends = ['00', '01', '02', '03', '04', '05', '06'].map((hour) => `2026-08-08T${hour}:00:00Z`);
    const asked = Promise.all(ends.map((end) => read({ start: day, end })));
    const [blocking, ofOrganization] = [1, 4];
    for (let waiting = 0; waiting < ofOrganization || pool.totalCount - pool.idleCount > blocking + ofOrganization;) {
      const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM pg_locks WHERE NOT granted');
      waiting = Number(rows[0]?.count);
    }
    await blocker.query('COMMIT');
    blocker.release();
    expect((await asked).map(({ usage }) => usage[day]?.spend)).toEqual(ends.map(() => '1'));
  });
});
