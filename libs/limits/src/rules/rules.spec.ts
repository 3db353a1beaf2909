import type { KeyRecord, OrganizationRule } from '@weir/access';
import { limitDocument } from '@weir/contracts';
import type { BoundedRequest } from '../estimate/bound-request';
import { bindRules, type LimitedPlan } from './bind-rules';
import { digestPartition } from './digest-partition';
import { amountFor, leastFor } from './limit-amounts';
import { readLimitRules } from './limit-rule';
import { planRules, type LimitedRequest } from './plan-rules';

const AT = Date.parse('2026-11-24T10:20:30Z');
const ID = '11111111-1111-4111-8111-111111111111';
const GROUP = '22222222-2222-4222-8222-222222222222';
const MEMBER = '33333333-3333-4333-8333-333333333333';
const KEY_ID = '44444444-4444-4444-8444-444444444444';
const OTHER = '55555555-5555-4555-8555-555555555555';

const createMatcher = (patterns: readonly string[]) => (id: string) =>
  patterns.some((pattern) => (pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern));
const options = { createMatcher, timeZone: 'UTC' };

const key = {
  apiKeyId: KEY_ID,
  name: 'crawler',
  groupId: GROUP,
  userId: MEMBER,
  apiKeyLabels: { team: 'research' },
  groupLabels: { 'cost center': 'a/b' },
} as unknown as KeyRecord;
const call: LimitedPlan = {
  key,
  modality: 'chat',
  attempts: [
    { modelId: 'acme/large', providerId: 'acme' },
    { modelId: 'other/small', providerId: 'east' },
  ],
};
const request: LimitedRequest = { atMs: AT, endUserId: null, isStream: false };

const ruleOf = (document: object, more: Partial<OrganizationRule> = {}): OrganizationRule => ({
  id: ID,
  name: 'a limit',
  version: 1,
  createdAtMs: AT - 90_000_000,
  document: limitDocument.parse({ scope: 'organization', measure: 'requests', window: 'minute', amount: 5, ...document }),
  ...more,
});
const planOf = (
  document: object,
  more: { call?: Partial<LimitedPlan>; request?: Partial<LimitedRequest>; rule?: Partial<OrganizationRule> } = {},
) =>
  planRules(bindRules(readLimitRules([ruleOf(document, more.rule)], options), { ...call, ...more.call }), { ...request, ...more.request });
const partitionOf = (document: object, more: Parameters<typeof planOf>[1] = {}): string | undefined =>
  planOf(document, more)[0]?.scope.split(':')[3];

describe('whom a limit binds', () => {
  it.each([
    [{ scope: 'organization' }, '-', 'the organization'],
    [{ scope: 'group' }, GROUP, `group ${GROUP}`],
    [{ scope: 'group', group_id: GROUP }, '-', `group ${GROUP}`],
    [{ scope: 'member' }, MEMBER, `member ${MEMBER}`],
    [{ scope: 'member', member_id: MEMBER }, '-', `member ${MEMBER}`],
    [{ scope: 'key' }, KEY_ID, 'key "crawler"'],
    [{ scope: 'key', api_key_id: KEY_ID }, '-', 'key "crawler"'],
    [{ scope: 'end_user' }, digestPartition('u-1'), 'end user "u-1"'],
    [{ scope: 'end_user', end_user: 'u-1' }, '-', 'end user "u-1"'],
    [{ scope: 'api_key_label', label: 'team' }, digestPartition('research'), 'label team=research'],
    [{ scope: 'api_key_label', label: 'team', value: 'research' }, '-', 'label team=research'],
    [{ scope: 'group_label', label: 'cost center' }, digestPartition('a/b'), 'label cost center=a/b'],
  ])('%j', (document, partition, about) => {
    const [limit] = planOf(document, { request: { endUserId: 'u-1' } });
    expect(limit?.scope).toBe(`limit:${ID}:requests:${partition}:minute@${Date.parse('2026-11-24T10:20Z') / 1000}`);
    expect(limit).toMatchObject({ kind: 'limit', max: 5n, rule: { about, amount: 5n, freesAtMs: Date.parse('2026-11-24T10:21Z') } });
  });

  it.each([
    [{ scope: 'group', group_id: OTHER }],
    [{ scope: 'member', member_id: OTHER }],
    [{ scope: 'key', api_key_id: OTHER }],
    [{ scope: 'end_user', end_user: 'u-2' }],
    [{ scope: 'api_key_label', label: 'team', value: 'sales' }],
    [{ scope: 'api_key_label', label: 'constructor' }],
    [{ scope: 'group_label', label: 'team' }],
    [{ modalities: ['image'] }],
    [{ models: ['acme/small'] }],
    [{ models: ['acme/*'], providers: ['east'] }],
    [{ measure: 'concurrent_streams', window: undefined }],
  ])('not %j', (document) => {
    expect(planOf(document, { request: { endUserId: 'u-1' } })).toEqual([]);
  });

  it('none who has no group, no owner, or names no end user', () => {
    const alone = { ...key, groupId: null, userId: null } as KeyRecord;
    for (const scope of ['group', 'member'] as const) expect(planOf({ scope }, { call: { key: alone } })).toEqual([]);
    for (const endUserId of [null, '']) expect(planOf({ scope: 'end_user' }, { request: { endUserId } })).toEqual([]);
  });

  it('never shows in the name of a scope what callers wrote', () => {
    const endUserId = 'a person:with colons @1 and spaces';
    expect(partitionOf({ scope: 'end_user' }, { request: { endUserId } })).toMatch(/^[A-Za-z0-9_-]{22}$/);
    const named = { ...key, userId: 'sso|a person' } as KeyRecord;
    expect(partitionOf({ scope: 'member' }, { call: { key: named } })).toBe(digestPartition('sso|a person'));
  });
});

describe('the plan of limits', () => {
  it('counts only attempts that the filters match', () => {
    expect(planOf({ models: ['acme/*'] })[0]?.rule?.counted).toEqual([true, false]);
    expect(planOf({ providers: ['*'] })[0]?.rule?.counted).toBeNull();
    expect(planOf({ modalities: ['chat'] })[0]?.rule?.counted).toBeNull();
  });

  it('never refuses by a limit that only alerts, or that the fallback is exempt from', () => {
    expect(planOf({ action: 'alert' })[0]).toMatchObject({ max: null, rule: { amount: 5n, action: 'alert' } });
    const fallback = { action: 'fallback', fallback_model: 'acme/small' };
    expect(planOf(fallback)[0]).toMatchObject({ max: 5n, rule: { fallbackModel: 'acme/small' } });
    expect(planOf(fallback, { request: { exempt: ID } })[0]).toMatchObject({ max: null, rule: { amount: 5n } });
    expect(planOf(fallback, { request: { exempt: OTHER } })[0]).toMatchObject({ max: 5n });
  });

  it('has the earlier steps of a rolling window from the creation of the limit on', () => {
    const [limit] = planOf({ window: '24h' }, { rule: { createdAtMs: AT - 2 * 3_600_000 } });
    const step = (hour: number) => `limit:${ID}:requests:-:24h@${Date.UTC(2026, 10, 24, hour) / 1000}`;
    expect(limit).toMatchObject({ scope: step(10), past: [step(9), step(8)], rule: { freesAtMs: Date.UTC(2026, 10, 24, 11) } });
    expect(planOf({ window: '30d' }, { rule: { createdAtMs: 0 } })[0]?.past).toHaveLength(30);
    expect(planOf({ window: '30d' }, { rule: { createdAtMs: AT } })[0]).not.toHaveProperty('past');
  });

  it('names what has no period without one', () => {
    expect(planOf({ window: 'total' })[0]).toMatchObject({
      scope: `limit:${ID}:requests:-:total`,
      rule: { freesAtMs: null, window: 'total' },
    });
    const concurrent = { measure: 'concurrent_streams', window: undefined };
    expect(planOf(concurrent, { request: { isStream: true } })[0]).toMatchObject({
      scope: `limit:${ID}:concurrent_streams:-:now`,
      rule: { freesAtMs: null, window: null },
    });
  });

  it('reads money to the pico-dollar', () => {
    expect(planOf({ measure: 'usd', amount: '0.000000000001' })[0]?.max).toBe(1n);
    expect(planOf({ measure: 'usd', amount: 12.5 })[0]?.max).toBe(12_500_000_000_000n);
  });
});

describe('lists of limits', () => {
  const rules = [ruleOf({ scope: 'end_user' }), ruleOf({ measure: 'concurrent_streams', window: undefined }, { id: OTHER })];
  const bound = bindRules(readLimitRules(rules, options), call);
  const plan = (more: Partial<LimitedRequest>) => planRules(bound, { ...request, endUserId: 'u', ...more });

  it('are the same object while window, end user and stream are', () => {
    const first = plan({});
    expect(plan({ atMs: AT + 1_000 })).toBe(first);
    for (const other of [{ endUserId: 'v' }, { isStream: true }, { exempt: ID }, { endUserId: null }, { atMs: AT + 60_000 }])
      expect(plan(other)).not.toBe(first);
    expect(plan({ isStream: true })).toHaveLength(2);
    expect(plan({}).map(({ scope }) => scope)).toEqual(first.map(({ scope }) => scope));
  });

  it('are forgotten for end users that were not seen for long', () => {
    const first = plan({ endUserId: 'first' });
    for (let index = 0; index < 200; index += 1) plan({ endUserId: `u${index}` });
    expect(plan({ endUserId: 'first' })).not.toBe(first);
    expect(plan({ endUserId: 'first' })).toEqual(first);
  });

  it('do not depend on what no limit asks for', () => {
    const plain = bindRules(readLimitRules([ruleOf({})], options), call);
    const first = planRules(plain, request);
    expect(planRules(plain, { ...request, endUserId: 'u', isStream: true })).toBe(first);
  });

  it('are read once, and again for another time zone; kinds of limits that are not known yet are left to those that know them', () => {
    const list = [ruleOf({}), { ...ruleOf({}), document: { ...ruleOf({}).document, measure: 'pages' } }];
    const first = readLimitRules(list, options);
    expect(first).toHaveLength(1);
    expect(readLimitRules(list, options)).toBe(first);
    expect(readLimitRules(list, { ...options, timeZone: 'Asia/Kathmandu' })[0]?.timeZone).toBe('Asia/Kathmandu');
  });
});

describe('what a request may use of a limit', () => {
  const bounded = {
    ...{ worstPico: 90n, leastPico: 50n, isSum: false },
    attempts: [
      { worstPico: 90n, leastPico: 40n, inputTokens: 10, outputTokens: 300, leastOutputTokens: 16 },
      { worstPico: 70n, leastPico: 50n, inputTokens: 20, outputTokens: 200, leastOutputTokens: 200 },
    ],
  } as unknown as BoundedRequest;
  const used = (document: object, of = bounded): readonly bigint[] => {
    const [limit] = planOf(document, { request: { isStream: true } });
    if (limit === undefined) throw new Error('not bound');
    return [amountFor(limit, of), leastFor(limit, of)];
  };

  it.each([
    ['usd', [90n, 50n]],
    ['requests', [1n, 1n]],
    ['input_tokens', [20n, 20n]],
    ['output_tokens', [300n, 200n]],
    ['tokens', [310n, 220n]],
  ])('%s: the most of any attempt', (measure, expected) => {
    expect(used({ measure })).toEqual(expected);
  });

  it.each(['concurrent_requests', 'concurrent_streams'])('%s: one', (measure) => {
    expect(used({ measure, window: undefined })).toEqual([1n, 1n]);
  });

  it('only of attempts that count', () => {
    expect(used({ measure: 'usd', models: ['other/*'] })).toEqual([70n, 50n]);
    expect(used({ measure: 'tokens', models: ['acme/*'] })).toEqual([310n, 26n]);
  });

  it('of all attempts together where failed ones are charged', () => {
    expect(used({ measure: 'output_tokens' }, { ...bounded, isSum: true })).toEqual([500n, 216n]);
  });

  it('money, of limits that are no row', () => {
    const limit = { kind: 'balance', scope: 'balance', max: 5n } as const;
    expect([amountFor(limit, bounded), leastFor(limit, bounded)]).toEqual([90n, 50n]);
  });
});
