import { createOrganizationRules, createUsageStore } from '@weir/database';
import { digestPartition, nameLimitScope, type LimitScopeParts } from '@weir/limits';
import { makeUsageEvent, NO_UNITS, sequenceEvents } from '@weir/testing';
import { randomUUID } from 'node:crypto';
import { CHAT_MODEL } from './__fixtures__/maker';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();
const PATH = '/v1/manage/limit';
const HOUR_MS = 3_600_000;

const monthOfKeys = { name: 'a month of a key', scope: 'key', measure: 'usd', window: 'month', amount: '5.25' };
const rulesOf = (organizationId: string) => createOrganizationRules(suite.harness.database.pool).findRules(organizationId);

type Listed = { readonly id: string; readonly name: string; readonly usage?: readonly Record<string, unknown>[] };
const list = async (query = ''): Promise<readonly Listed[]> => (await suite.get(PATH + query))['limits'] as readonly Listed[];
const names = async (query: string): Promise<string[]> => (await list(query)).map(({ name }) => name);

describe('a limit', () => {
  it('is read by the edge as it is in force, with what was left out filled in', async () => {
    const id = await suite.make.limit({ ...monthOfKeys, models: [' openai/* '] });
    const { limits } = await rulesOf(suite.ours.id);

    expect(limits).toEqual([
      {
        ...{ id, name: 'a month of a key', version: 1, createdAtMs: expect.any(Number) as number },
        document: { scope: 'key', measure: 'usd', window: 'month', amount: '5.25', models: ['openai/*'], action: 'refuse' },
      },
    ]);
  });

  it('keeps every version, and names each change in both logs', async () => {
    const id = await suite.make.limit(monthOfKeys);
    const replaced = await suite.send('PUT', `${PATH}/${id}`, { ...monthOfKeys, name: 'more', amount: 7, action: 'alert' });
    expect(replaced.json['limit']).toMatchObject({ id, name: 'more', amount: '7', action: 'alert', version: 2 });
    expect((await suite.send('DELETE', `${PATH}/${id}`)).status).toBe(204);
    expect((await suite.send('GET', `${PATH}/${id}`)).status).toBe(404);

    expect((await suite.changes()).filter((line) => line.startsWith('limit'))).toEqual([1, 2, 3].map(() => `limit ${id}`));
    expect((await suite.get('/v1/manage/audit'))['audit'].slice(0, 3)).toMatchObject([
      { action: 'delete-limit', target: { kind: 'limit', id }, before: { version: 2, amount: '7' }, after: null },
      { action: 'replace-limit', before: { amount: '5.25' }, after: { amount: '7' } },
      { action: 'create-limit', before: null, after: { name: 'a month of a key', amount: '5.25' } },
    ]);
    const versions = await suite.harness.database.prisma.organizationRuleVersion.findMany({ where: { ruleId: id } });
    expect(versions.map(({ version }) => version).sort()).toEqual([1, 2]);
  });

  it('stays about those it was made for', async () => {
    const id = await suite.make.limit(monthOfKeys);
    const key = await suite.make.key();
    const other = await suite.send('PUT', `${PATH}/${id}`, { ...monthOfKeys, api_key_id: key });
    expect([other.status, other.json['error'].message]).toEqual([409, expect.stringContaining('Make another limit')]);
    const wider = await suite.send('PUT', `${PATH}/${id}`, { ...monthOfKeys, scope: 'organization' });
    expect(wider.status).toBe(409);
    expect((await suite.get(`${PATH}/${id}`))['limit']).toMatchObject({ scope: 'key', version: 1 });
  });

  it('is one of 64 at most; those that are there can still be changed', async () => {
    const id = await suite.make.limit();
    const data = Array.from({ length: 63 }, (_, index) => ({
      organizationId: suite.ours.id,
      kind: 'limit',
      name: `${index}`,
      document: {},
    }));
    await suite.harness.database.prisma.organizationRule.createMany({ data });

    const refused = await suite.send('POST', PATH, monthOfKeys);
    expect([refused.status, refused.json['error'].message]).toEqual([409, expect.stringContaining('64 limits')]);
    expect((await suite.send('PUT', `${PATH}/${id}`, monthOfKeys)).status).toBe(200);
  });

  it('falls back to a model, an alias or a policy, which then cannot go away', async () => {
    const [policy, alias] = [await suite.make.policy(), await suite.make.alias()];
    const fallbackTo = (model: string) => suite.make.limit({ ...monthOfKeys, name: model, action: 'fallback', fallback_model: model });
    await fallbackTo(CHAT_MODEL);
    await fallbackTo('policy/weir-fast');
    const ofPolicy = await fallbackTo(`policy/${policy}`);
    const ofAlias = await fallbackTo(alias);

    const refused = await suite.send('DELETE', `/v1/manage/policy/${policy}`);
    expect([refused.status, refused.json['error'].message]).toEqual([409, expect.stringContaining(`limit "policy/${policy}"`)]);
    expect((await suite.send('DELETE', `/v1/manage/alias/${alias}`)).status).toBe(409);
    await Promise.all([ofPolicy, ofAlias].map((id) => suite.send('DELETE', `${PATH}/${id}`)));
    expect((await suite.send('DELETE', `/v1/manage/policy/${policy}`)).status).toBe(204);
    expect((await suite.send('DELETE', `/v1/manage/alias/${alias}`)).status).toBe(204);
  });

  it('takes amounts without losing a digit', async () => {
    const amountOf = async (amount: unknown, measure = 'usd') => {
      const id = await suite.make.limit({ ...monthOfKeys, name: suite.make.name(), measure, amount });
      return ((await suite.get(`${PATH}/${id}`))['limit'] as Record<string, unknown>)['amount'];
    };
    expect(await amountOf('0.000000000001')).toBe('0.000000000001');
    expect(await amountOf(0.1)).toBe('0.1');
    expect(await amountOf(1_000_000, 'tokens')).toBe('1000000');
    expect(await amountOf('999999999999999', 'tokens')).toBe('999999999999999');
  });
});

describe('the list of limits', () => {
  it('is filtered by what limits name, and searched by name', async () => {
    const [key, { group, member }] = [await suite.make.key(), await suite.make.groupMember()];
    const made = { measure: 'requests', window: 'minute', amount: 5 };
    await suite.make.limit({ ...made, name: 'Keys', scope: 'key' });
    await suite.make.limit({ ...made, name: 'one key', scope: 'key', api_key_id: key.toUpperCase() });
    await suite.make.limit({ ...made, name: 'one group', scope: 'group', group_id: group });
    await suite.make.limit({ ...made, name: 'one_member', scope: 'member', member_id: member });

    expect(await names('')).toEqual(['Keys', 'one key', 'one group', 'one_member']);
    expect(await names('?scope=key')).toEqual(['Keys', 'one key']);
    expect(await names(`?api_key_id=${key}`)).toEqual(['one key']);
    expect(await names(`?group_id=${group}`)).toEqual(['one group']);
    expect(await names(`?member_id=${member}&scope=group`)).toEqual([]);
    expect(await names('?search=KEY')).toEqual(['Keys', 'one key']);
    expect(await names('?search=e_m')).toEqual(['one_member']);
    expect(await names('?scope=key&limit=1')).toEqual(['Keys']);
    expect((await list()).every((limit) => limit.usage === undefined)).toBe(true);
  });
});

describe('how full a limit is', () => {
  const NOW = Date.UTC(2026, 10, 24, 12, 30);
  const DAY = Date.UTC(2026, 10, 24);

  async function count(
    limitId: string,
    used: bigint,
    scope: Omit<LimitScopeParts, 'limitId'>,
    organizationId = suite.ours.id,
  ): Promise<void> {
    await suite.harness.database.pool.query(
      'INSERT INTO limit_usage (org_id, scope, limit_id, used, version, window_start) VALUES ($1, $2, $3, $4, 1, $5)',
      [
        organizationId,
        nameLimitScope({ limitId, ...scope }),
        limitId,
        String(used),
        scope.startMs === null ? null : new Date(scope.startMs),
      ],
    );
  }
  const usageOf = async (id: string) => ((await suite.get(`${PATH}/${id}`))['limit'] as unknown as Listed).usage;
  const createdLongAgo = (id: string) =>
    suite.harness.database.pool.query('UPDATE organization_rule SET created_at = $2 WHERE id = $1', [id, new Date(Date.UTC(2026, 0))]);

  beforeEach(() => {
    suite.harness.now = () => NOW;
  });

  it('is what the present window has counted, the five fullest of those that it holds for apart, by their names', async () => {
    const keys: string[] = [];
    for (let index = 0; index < 6; index += 1) keys.push(await suite.make.key({ name: `key ${index}` }));
    const id = await suite.make.limit({ scope: 'key', measure: 'usd', window: 'day', amount: 2 });
    const scope = { measure: 'usd', window: 'day' } as const;
    for (const [index, key] of keys.entries())
      await count(id, BigInt(index) * 500_000_000_000n, { ...scope, partition: key, startMs: DAY });
    await count(id, 9_000_000_000_000n, { ...scope, partition: keys[0] ?? '', startMs: DAY - 24 * HOUR_MS });
    await count(id, 9_000_000_000_000n, { ...scope, partition: '-', startMs: DAY });
    await count(id, 9_000_000_000_000n, { measure: 'tokens', window: 'day', partition: keys[0] ?? '', startMs: DAY });
    const elsewhere = await suite.seedOther();
    await count(id, 9_000_000_000_000n, { ...scope, partition: keys[0] ?? '', startMs: DAY }, elsewhere.id);

    const window = { window_start: '2026-11-24T00:00:00.000Z', window_end: '2026-11-25T00:00:00.000Z' };
    const fill = (index: number, used: string, share: number) => ({
      of: { scope: 'key', id: keys[index], name: `key ${index}` },
      ...{ used, share },
      ...window,
    });
    const usage = [fill(5, '2.5', 1.25), fill(4, '2', 1), fill(3, '1.5', 0.75), fill(2, '1', 0.5), fill(1, '0.5', 0.25)];
    expect(await usageOf(id)).toEqual(usage);
    expect((await list('?usage=true')).map((limit) => limit.usage)).toEqual([usage]);
  });

  it('follows the time zone of the organization', async () => {
    const id = await suite.make.limit({ scope: 'organization', measure: 'requests', window: 'week', amount: 10 });
    const scope = { measure: 'requests', window: 'week', partition: '-' } as const;
    await count(id, 3n, { ...scope, startMs: Date.UTC(2026, 10, 23) });
    await count(id, 4n, { ...scope, startMs: Date.UTC(2026, 10, 22, 23) });

    expect(await usageOf(id)).toMatchObject([{ of: null, used: '3', share: 0.3, window_start: '2026-11-23T00:00:00.000Z' }]);
    expect((await suite.send('PATCH', '/v1/manage/org', { time_zone: 'Europe/Berlin' })).status).toBe(204);
    expect((await suite.get('/v1/manage/org'))['organization']).toMatchObject({ time_zone: 'Europe/Berlin' });
    expect(await usageOf(id)).toMatchObject([
      { used: '4', window_start: '2026-11-22T23:00:00.000Z', window_end: '2026-11-29T23:00:00.000Z' },
    ]);
    await suite.send('PATCH', '/v1/manage/org', { time_zone: null });
    expect((await suite.get('/v1/manage/org'))['organization']).toMatchObject({ time_zone: 'UTC' });
    expect(await usageOf(id)).toMatchObject([{ used: '3' }]);
  });

  it('adds up the steps of a rolling window, from its creation on', async () => {
    const id = await suite.make.limit({ scope: 'organization', measure: 'tokens', window: '24h', amount: 1000 });
    const scope = { measure: 'tokens', window: '24h', partition: '-' } as const;
    const hour = Date.UTC(2026, 10, 24, 12);
    for (const [back, used] of [
      [0, 1n],
      [1, 10n],
      [24, 100n],
      [25, 1000n],
    ] as const)
      await count(id, used, { ...scope, startMs: hour - back * HOUR_MS });

    await createdLongAgo(id);
    expect(await usageOf(id)).toEqual([
      { of: null, used: '111', share: 0.111, window_start: '2026-11-23T12:00:00.000Z', window_end: '2026-11-24T13:00:00.000Z' },
    ]);
    await suite.harness.database.pool.query('UPDATE organization_rule SET created_at = $2 WHERE id = $1', [id, new Date(NOW - HOUR_MS)]);
    expect(await usageOf(id)).toMatchObject([{ used: '11', window_start: '2026-11-24T11:00:00.000Z' }]);
  });

  it('has no window for `total`, nothing for what runs at a moment, and names values of labels but no end users', async () => {
    const total = await suite.make.limit({ scope: 'api_key_label', label: 'team', measure: 'requests', window: 'total', amount: 4 });
    await suite.make.key({ labels: { team: 'red' } });
    const scope = { measure: 'requests', window: 'total', startMs: null } as const;
    await count(total, 3n, { ...scope, partition: digestPartition('red') });
    await count(total, 2n, { ...scope, partition: digestPartition('gone') });
    const noWindow = { window_start: null, window_end: null };
    expect(await usageOf(total)).toEqual([
      { of: { scope: 'api_key_label', id: digestPartition('red'), name: 'red' }, used: '3', share: 0.75, ...noWindow },
      { of: { scope: 'api_key_label', id: digestPartition('gone'), name: null }, used: '2', share: 0.5, ...noWindow },
    ]);

    const users = await suite.make.limit({ scope: 'end_user', measure: 'requests', window: 'total', amount: 4 });
    await count(users, 1n, { ...scope, partition: digestPartition('u-1') });
    expect(await usageOf(users)).toMatchObject([{ of: { scope: 'end_user', id: digestPartition('u-1'), name: null } }]);
    const running = await suite.make.limit({ scope: 'end_user', measure: 'concurrent_requests', window: undefined, amount: 4 });
    expect(await usageOf(running)).toEqual([]);
    expect(await usageOf(await suite.make.limit({ scope: 'member', member_id: suite.ours.userId }))).toEqual([]);
  });

  it('grows with every request that is counted', async () => {
    const { database } = suite.harness;
    const id = await suite.make.limit({ scope: 'organization', measure: 'tokens', window: 'hour', amount: 1000 });
    const hour = nameLimitScope({ limitId: id, measure: 'tokens', partition: '-', window: 'hour', startMs: Date.UTC(2026, 10, 24, 12) });
    const event = makeUsageEvent({
      ...{ org_id: suite.ours.id, api_key_id: suite.ours.apiKeyId, admitted_at: NOW - 1000, ended_at: NOW },
      ...{ hold_scopes: [hour], units: { ...NO_UNITS, in: 30, cached_in: 5, out: 7 } },
    });
    await createUsageStore({ pool: database.pool, now: () => NOW }).applyBatch(sequenceEvents(randomUUID(), [event]), null);

    expect(await usageOf(id)).toMatchObject([{ of: null, used: '42', share: 0.042, window_start: '2026-11-24T12:00:00.000Z' }]);
  });

  it('is not there for what was never a limit', async () => {
    expect((await suite.send('GET', `${PATH}/${randomUUID()}`)).status).toBe(404);
  });
});
