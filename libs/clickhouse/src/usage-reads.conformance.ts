import { randomUUID } from 'node:crypto';
import type { UsageEvent, UsageResponse } from '@weir/contracts';
import { formatUsd, parseUsd } from '@weir/pricing';
import { API_KEY_ID, makeUsageEvent, NO_UNITS, sequenceEvents } from '@weir/testing';
import { DAY_MS, DIMENSIONS, HOUR_MS, type UsageReach } from '@weir/usage';
import type { Stores } from './__fixtures__/start-bench';

const DAY = Date.UTC(2026, 7, 7);
const NASTY = `it's "q" \\' \\x27 \u{1F600} \u2028); DROP TABLE usage_event --`;

type Reads = {
  readonly stores: Stores;
  /** Replies as the store under test does, and fails the test where another one has to. */
  read(input: Record<string, unknown>, scope?: { apiKeyId?: string; reach?: UsageReach }): Promise<UsageResponse>;
};

/** What replies to questions about usage has to reply with, whichever store it is. `open`: with a fresh organization and the time at noon on the 10th. */
export function describeUsageReads(open: () => Promise<Reads>): void {
  let reads: Reads;
  const count = (events: readonly Partial<UsageEvent>[]): Promise<string> =>
    reads.stores.count(events.map((more) => makeUsageEvent({ org_id: reads.stores.organizationId, ...more })));
  beforeEach(async () => {
    reads = await open();
  });
  afterEach(() => reads.stores.close());

  const groupsOf = ({ usage }: UsageResponse, name: string): Record<string, string> =>
    Object.fromEntries(
      Object.values(usage).flatMap(({ grouped_data: groups = [] }) =>
        groups.map(({ group_by_values: values, spend, total_requests }) => [values[name] ?? '', `${parseUsd(spend)} ${total_requests}`]),
      ),
    );
  const start = '2026-08-07T00:00:00Z';
  const ask = (more: Record<string, unknown>) => reads.read({ start, ...more });

  test("groups and filters by every dimension, today's names and labels of the time among them, and usage without a value", async () => {
    const { known } = reads.stores;
    const full = {
      ...{ user_id: known.userId, group_id: known.groupId, key_label_set_id: known.keyLabels, group_label_set_id: known.groupLabels },
      ...{ end_user_id: NASTY, model_requested: 'policy/best', model_used: 'vendor/large', provider_used: 'other', is_byok: true },
      ...{ origin_title: NASTY, extra: { f: NASTY, other: 'x' }, api_key_id: randomUUID() },
    };
    const at = DAY + 90 * 60_000;
    await count([
      { admitted_at: at, cost_p: '1000' },
      { admitted_at: at, cost_p: '20', ...full },
      { admitted_at: at, cost_p: '3', ...full },
    ]);
    const { rows } = await reads.stores.database.pool.query<{ email: string }>('SELECT email FROM user_account');
    const expected: Record<string, [filled: string, bare: string]> = {
      ...{ group_name: ['Research "A"', 'Unknown'], group_id: [known.groupId, 'Unknown'], member_id: [known.userId, 'Unknown'] },
      ...{ member_email: [rows[0]?.email ?? '', 'Unknown'], user_id: [NASTY, 'Unknown'], api_key_id: [full.api_key_id, API_KEY_ID] },
      ...{ model_requested: ['policy/best', 'vendor/model'], model_used: ['vendor/large', 'vendor/model'] },
      ...{ provider_used: ['other', 'vendor'], is_byok: ['true', 'false'], origin_title: [NASTY, 'Unknown'] },
      ...{ 'extra.f': [NASTY, 'Unknown'], 'api_key_label.f': ['prod', 'Unknown'], 'group_label.f': ['42', 'Unknown'] },
    };
    expect(Object.keys(expected)).toEqual(
      expect.arrayContaining(DIMENSIONS.map(({ name, match }) => (match === 'prefix' ? `${name}f` : name))),
    );
    expect(Object.keys(expected)).toHaveLength(DIMENSIONS.length);
    for (const [name, [filled, bare]] of Object.entries(expected)) {
      expect(groupsOf(await ask({ group_by: name }), name)).toEqual({ [filled]: '23 2', [bare]: '1000 1' });
      expect(groupsOf(await ask({ group_by: name, filter: { [name]: filled } }), name)).toEqual({ [filled]: '23 2' });
      expect(groupsOf(await ask({ group_by: name, filter: { [name]: [bare, 'Unknown'] } }), name)).toEqual({ [bare]: '1000 1' });
      expect(
        (
          await ask({
            filter: { [name]: name.endsWith('_id') && name !== 'user_id' ? randomUUID() : name === 'is_byok' ? 'Unknown' : 'none' },
          })
        ).usage,
      ).toEqual({});
    }
    const all = await ask({
      group_by: Object.keys(expected),
      filter: { model_used: ['vendor/large', 'vendor/model'], 'api_key_label.f': 'prod' },
    });
    expect(Object.values(all.usage)).toMatchObject([{ total_requests: 2, grouped_data: [{ total_requests: 2, spend: formatUsd(23n) }] }]);
  });

  test('is of exactly the range that is asked for, by the hour, day and month of UTC, wherever midnight is for who asks', async () => {
    const half = HOUR_MS / 2;
    const last = Date.UTC(2026, 6, 31, 23, 45);
    await count([0, 1, 2, 3].map((at) => ({ admitted_at: DAY + at * half, cost_p: String(10n ** BigInt(at)) })));
    await count([{ admitted_at: last, cost_p: '70000' }]);
    const spend = async (more: Record<string, unknown>): Promise<Record<string, bigint>> =>
      Object.fromEntries(Object.entries((await reads.read(more)).usage).map(([period, entry]) => [period, parseUsd(entry.spend)]));
    expect(await spend({ start, resolution: 'hour' })).toEqual({ '2026-08-07T00:00:00Z': 11n, '2026-08-07T01:00:00Z': 1100n });
    expect(await spend({ start: '2026-08-07T00:00:00.001Z', end: '2026-08-07T01:30:00Z' })).toEqual({ '2026-08-07T00:00:00Z': 110n });
    expect(await spend({ start: '2026-08-07T05:30:00+05:30', end: '2026-08-07T06:00:00.001+05:30', resolution: 'hour' })).toEqual({
      '2026-08-07T00:00:00Z': 11n,
    });
    expect(await spend({ start: '2026-08-06T20:15:00-04:00', end: '2026-08-07T00:00:00-04:00' })).toEqual({
      '2026-08-07T00:00:00Z': 1110n,
    });
    expect(await spend({ start: '2026-07-01T00:00:00Z', end: '2026-09-01T00:00:00Z', resolution: 'month' })).toEqual({
      '2026-07-01T00:00:00Z': 70000n,
      '2026-08-01T00:00:00Z': 1111n,
    });
    expect(await spend({ start: '2026-07-31T23:45:00.001Z', end: '2026-08-07T00:00:00.001Z', resolution: 'month' })).toEqual({
      '2026-08-01T00:00:00Z': 1n,
    });
    expect(await spend({ start: '2026-07-31T00:00:00Z', end: '2026-07-31T23:45:00Z' })).toEqual({});
  });

  test('adds up beyond 64 bits to the last digit, of every modality, with retries, failures and what was not charged', async () => {
    const most = '999999999999999999999';
    const modalities = ['chat', 'embedding', 'image', 'speech', 'transcription'] as const;
    const units = { ...NO_UNITS, in: 7, out: 5, cached_in: 3, cache_w5m: 2, cache_w1h: 1, reasoning: 4 };
    const events = Array.from({ length: 100 }, (_, at): Partial<UsageEvent> => ({
      ...{ admitted_at: DAY + at * 1000, cost_p: most, billed_p: '0', modality: modalities[at % 5] ?? 'chat', units },
      ...(at % 10 === 0 ? { logical: false, status: 'upstream_error' } : {}),
      ...(at % 25 === 1 ? { cost_p: '0', uncharged: { units, cost_p: most } } : {}),
    }));
    await count(events);
    const usage = Object.values((await ask({})).usage);
    expect(usage).toMatchObject([
      { total_requests: 90, completions_requests: 10, speech_requests: 20, input_tokens: 1300, output_tokens: 500 },
    ]);
    expect(usage).toMatchObject([{ cached_tokens: 300, reasoning_tokens: 400, total_tokens: 1800, spend: formatUsd(96n * BigInt(most)) }]);
  });

  test("counts an event once that comes again, in another order and from another journal's copy, and its corrections with it", async () => {
    const { stores } = reads;
    const events = Array.from({ length: 50 }, (_, at) =>
      makeUsageEvent({ org_id: stores.organizationId, admitted_at: DAY + at * 60_000, cost_p: String(at + 1) }),
    );
    const writerId = randomUUID();
    const all = sequenceEvents(writerId, events);
    for (const part of [all.slice(20), [...all].reverse(), all.slice(0, 30)]) await stores.postgres.applyBatch(part, null);
    const read = async (): Promise<string> => groupsOf(await ask({ group_by: 'model_used' }), 'model_used')['vendor/model'] ?? '';
    expect(await read()).toBe('1275 50');
    await stores.rerate({ fromMs: DAY, toMs: DAY + 10 * 60_000 });
    expect(await read()).toBe(`${1275 + 55} 50`);
    await stores.count([makeUsageEvent({ org_id: stores.organizationId, admitted_at: DAY + 60_000, cost_p: '1' })]);
    expect(await read()).toBe('1331 51');
  });

  test('shows a member and a key their own, and another organization nothing', async () => {
    const { known } = reads.stores;
    const [key, group] = [randomUUID(), randomUUID()];
    await count([
      { admitted_at: DAY, user_id: known.userId, cost_p: '1' },
      { admitted_at: DAY, group_id: group, cost_p: '20' },
      { admitted_at: DAY, group_id: known.groupId, api_key_id: key, cost_p: '300' },
      { admitted_at: DAY + DAY_MS / 2, org_id: randomUUID(), cost_p: '4000' },
    ]);
    const spend = async (scope: Parameters<Reads['read']>[1]): Promise<bigint[]> =>
      Object.values((await reads.read({ start }, scope)).usage).map((entry) => parseUsd(entry.spend));
    expect(await spend({})).toEqual([321n]);
    expect(await spend({ apiKeyId: key })).toEqual([300n]);
    expect(await spend({ reach: { userId: known.userId, groupIds: [] } })).toEqual([1n]);
    expect(await spend({ reach: { userId: known.userId, groupIds: [group] } })).toEqual([21n]);
    expect(await spend({ apiKeyId: key, reach: { userId: known.userId, groupIds: [group] } })).toEqual([]);
  });

  test('puts free text where counting put it, and warns of it', async () => {
    await count(Array.from({ length: 1_020 }, (_, at) => ({ admitted_at: DAY + at, cost_p: '1', extra: { run: `r${at}` } })));
    const response = await ask({ group_by: 'extra.run' });
    expect(groupsOf(response, 'extra.run')).toMatchObject({ r7: '1 1', __other__: '20 20' });
    expect(response.warnings).toMatchObject([{ bound: 'values', field: 'extra.run' }]);
    expect(
      groupsOf(await ask({ group_by: 'extra.run', filter: { 'extra.run': 'r7' }, end: '2026-08-07T00:00:00.500Z' }), 'extra.run'),
    ).toEqual({ r7: '1 1' });
  });
}
