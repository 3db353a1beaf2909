import { createUsageStore } from '@weir/database';
import type { UsageEvent } from '@weir/contracts';
import { makeUsageEvent, NO_UNITS, sequenceEvents } from '@weir/testing';
import { randomUUID } from 'node:crypto';
import { expectRefused, type PlayedLimit, type PlayedRequests } from './__fixtures__/expect-refused';
import { useManagement } from './__fixtures__/use-management';
import { previewLimit } from './limit-previews/preview-limit';

jest.setTimeout(60_000);

const suite = useManagement();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2026, 10, 20, 12);
const START = NOW - 7 * DAY_MS;

type Preview = {
  readonly requests: number;
  readonly bound: number;
  readonly would_have_refused: number;
  readonly share: number | null;
  readonly is_partial: boolean;
  readonly start: string;
  readonly end: string;
  readonly days: readonly { readonly date: string; readonly bound: number; readonly would_have_refused: number }[];
  readonly examples: readonly { readonly request_id: string; readonly used: string; readonly needed: string; readonly of: unknown }[];
  readonly fullest: readonly {
    readonly of: { readonly name: string | null } | null;
    readonly used: string;
    readonly window_start: string | null;
  }[];
};
const preview = async (body: object): Promise<Preview> =>
  (await suite.send('POST', '/v1/manage/limit/preview', body)).json as unknown as Preview;

async function count(events: readonly UsageEvent[]): Promise<void> {
  const store = createUsageStore({ pool: suite.harness.database.pool, now: () => NOW });
  await store.applyBatch(sequenceEvents(randomUUID(), [...events]), null);
}

/** Draws the same numbers in every run. */
function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const MODELS = [
  ['openai/gpt-4o', 'openai'],
  ['anthropic/claude-sonnet-4', 'anthropic'],
  ['sandbox/chat', 'sandbox'],
] as const;

/** Requests of some keys over the week and the hours before it, with one attempt or two. */
async function makeRequests(): Promise<PlayedRequests> {
  const draw = createDraw(20_261_124);
  const pick = <Value>(values: readonly Value[]): Value => values[draw(values.length)] as Value;
  const labelOf = new Map<string, string>();
  const keys: Pick<UsageEvent, 'api_key_id' | 'group_id' | 'user_id' | 'key_label_set_id'>[] = [];
  for (const team of ['red', 'blue', null]) {
    const id = await suite.make.key(team === null ? {} : { labels: { team } });
    const { labelSetId } = await suite.harness.database.prisma.apiKey.findUniqueOrThrow({ where: { id } });
    if (labelSetId !== null && team !== null) labelOf.set(labelSetId, team);
    keys.push({ api_key_id: id, key_label_set_id: labelSetId, group_id: team === 'red' ? await suite.make.group() : null, user_id: null });
  }
  const events = Array.from({ length: 400 }, (_, index) => {
    const admitted = START - DAY_MS + draw(8 * DAY_MS);
    const base = {
      ...{ org_id: suite.ours.id, request_id: randomUUID(), admitted_at: admitted, ...pick(keys) },
      ...{
        stream: draw(2) === 0,
        end_user_id: pick(['ann', 'ben', null]),
        modality: pick<UsageEvent['modality']>(index % 10 === 0 ? ['embedding'] : ['chat']),
      },
    } as const;
    const attempts = draw(5) === 0 ? 2 : 1;
    return Array.from({ length: attempts }, (__, at) => {
      const [model, provider] = pick(MODELS);
      const cost = String(draw(1_000_000) * 1_000_000);
      const units = { ...NO_UNITS, in: draw(500), cached_in: draw(50), cache_w5m: draw(20), out: draw(300) };
      return makeUsageEvent({
        ...{ ...base, attempt_no: at + 1, logical: at + 1 === attempts, model_used: model, provider_used: provider },
        ...{ cost_p: cost, billed_p: cost, units, ended_at: admitted + (at + 1) * (1 + draw(4 * HOUR_MS)) },
      });
    });
  }).flat();
  await count(events);
  return { events, labelOf };
}

describe('a preview of a limit', () => {
  it('refuses what a limit of its kind refuses, whatever it counts, of whom and in which time', async () => {
    suite.harness.now = () => NOW;
    const made = await makeRequests();
    const oneKey = made.events[0]?.api_key_id ?? '';
    const asked: readonly PlayedLimit[] = [
      { scope: 'organization', measure: 'usd', window: 'day', amount: '20.5' },
      { scope: 'key', measure: 'requests', window: 'day', amount: '9' },
      { scope: 'key', api_key_id: oneKey, measure: 'tokens', window: '24h', amount: '6000' },
      { scope: 'group', measure: 'input_tokens', window: 'hour', amount: '500' },
      { scope: 'end_user', measure: 'concurrent_requests', amount: '1' },
      { scope: 'organization', measure: 'concurrent_streams', amount: '2' },
      { scope: 'api_key_label', label: 'team', measure: 'requests', window: 'total', amount: '60' },
      { scope: 'organization', measure: 'usd', window: 'day', amount: '4', models: ['openai/*'], action: 'alert' },
      { scope: 'key', measure: 'tokens', window: 'day', amount: '3000', providers: ['sandbox'], modalities: ['chat'] },
    ];
    for (const timeZone of ['UTC', 'Pacific/Auckland']) {
      await suite.send('PATCH', '/v1/manage/org', { time_zone: timeZone });
      for (const limit of asked) {
        const { bound, refused } = expectRefused(made, limit, { startMs: START, timeZone });
        const found = await preview({ ...limit, days: 7 });

        expect(refused.length).toBeGreaterThan(0);
        expect(bound.length).toBeGreaterThan(refused.length);
        expect({ limit, timeZone, bound: found.bound, refused: found.would_have_refused }).toEqual({
          ...{ limit, timeZone, bound: bound.length, refused: refused.length },
        });
        expect(found.examples.map((example) => example.request_id)).toEqual(refused.slice(0, 20));
        expect(found.days.reduce((sum, day) => sum + day.would_have_refused, 0)).toBe(refused.length);
        expect(found.share).toBeCloseTo(refused.length / bound.length, 5);
        expect(found.days).toHaveLength(8);
      }
    }
  });

  it('says which windows were fullest and of whom, and keeps nothing', async () => {
    suite.harness.now = () => NOW;
    const key = await suite.make.key({ name: 'crawler' });
    const at = (hour: number, more: Partial<UsageEvent> = {}): UsageEvent =>
      makeUsageEvent({ org_id: suite.ours.id, api_key_id: key, admitted_at: START + hour * HOUR_MS, end_user_id: 'ann', ...more });
    await count([at(1), at(2), at(3), at(30), at(31, { end_user_id: 'ben' })]);
    const { limits } = await suite.get('/v1/manage/limit');

    const ofKeys = await preview({ scope: 'key', measure: 'requests', window: 'day', amount: 2 });
    expect(ofKeys).toMatchObject({ requests: 5, bound: 5, would_have_refused: 1, is_partial: false, start: new Date(START).toISOString() });
    expect(ofKeys.examples).toMatchObject([{ used: '2', needed: '1', of: { scope: 'key', id: key, name: 'crawler' } }]);
    const window = (day: number) => ({
      window_start: new Date(Date.UTC(2026, 10, day)).toISOString(),
      window_end: new Date(Date.UTC(2026, 10, day + 1)).toISOString(),
    });
    expect(ofKeys.fullest).toEqual(
      [13, 14].map((day) => ({ of: { scope: 'key', id: key, name: 'crawler' }, used: '2', share: 1, ...window(day) })),
    );
    expect(ofKeys.days.map((day) => day.bound)).toEqual([3, 2, 0, 0, 0, 0, 0, 0]);

    const ofUsers = await preview({ scope: 'end_user', measure: 'requests', window: 'total', amount: 10 });
    expect(ofUsers.fullest).toMatchObject([
      { of: { scope: 'end_user', name: 'ann' }, used: '4', window_start: null },
      { of: { scope: 'end_user', name: 'ben' }, used: '1', window_start: null },
    ]);
    expect((await preview({ scope: 'member', measure: 'requests', window: 'day', amount: 1 })).bound).toBe(0);
    expect((await suite.get('/v1/manage/limit'))['limits']).toEqual(limits);
  });

  it('stops where there is too much to look at, and says so', async () => {
    const events = Array.from({ length: 2_500 }, (_, index) =>
      makeUsageEvent({ org_id: suite.ours.id, api_key_id: suite.ours.apiKeyId, admitted_at: START + index * 1_000 }),
    );
    await count(events);
    const limit = { scope: 'key', measure: 'requests', window: 'total', amount: '100', action: 'refuse' } as const;
    const range = { organizationId: suite.ours.id, startMs: START, endMs: NOW, timeZone: 'UTC' };
    const look = async (attemptsMax: number): Promise<Preview> =>
      (await previewLimit(suite.harness.database, limit, { ...range, attemptsMax })) as Preview;

    expect(await look(1)).toMatchObject({
      ...{ requests: 500, would_have_refused: 400, is_partial: true, end: new Date(START + 499_000).toISOString() },
    });
    expect(await look(2_600)).toMatchObject({ requests: 2_500, would_have_refused: 2_400, is_partial: false });
  });
});
