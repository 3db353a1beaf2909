import { createKeyDirectory } from '@weir/database';
import { planLimits } from '@weir/limits';
import type { Reply } from './__fixtures__/start-management';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();
const AUGUST = Date.UTC(2026, 7, 16);

const switchTo = (mode: string) => suite.send('PATCH', '/v1/manage/org', { budget_mode: mode });
const problemsOf = ({ json }: Reply): unknown => (json.error as { readonly problems?: unknown }).problems;
const preview = async (mode: string) => (await suite.send('POST', '/v1/manage/org/preview', { budget_mode: mode })).json['budgets'];
const groupOf = async (id: string) => (await suite.get(`/v1/manage/group/${id}`))['group'] as unknown as Record<string, unknown>;

/** What binds requests of a key, by the code that admits them, in USD. */
async function bounds(apiKeyId: string): Promise<Record<string, number>> {
  const record = await createKeyDirectory(suite.harness.database.pool).findById(suite.ours.id, apiKeyId);
  if (record === undefined) throw new Error('the key is gone');
  const limits = planLimits(record, { atMs: AUGUST, isBilled: false }, { isBalanceRequired: false });
  return Object.fromEntries(limits.map(({ kind, max }) => [kind, Number(max) / 1e12]));
}

describe('a switch to Group Budget mode', () => {
  it('carries the limit of each member over, own limits of members too, and shows that beforehand', async () => {
    const [{ group, member }, other] = [await suite.make.groupMember(), await suite.make.member()];
    await suite.send('PATCH', `/v1/manage/group/${group}`, { monthly_limit: 25 });
    await suite.send('POST', `/v1/manage/group/${group}/member`, { user_id: other, role: 'member' });
    await suite.send('PUT', `/v1/manage/group/${group}/member/${other}/limit`, { monthly_limit: 40 });
    const [mine, theirs] = [
      await suite.make.key({ group_id: group, member_id: member }),
      await suite.make.key({ group_id: group, member_id: other }),
    ];
    const before = [await bounds(mine), await bounds(theirs)];
    expect(before).toEqual([{ group_member: 25 }, { group_member: 40 }]);

    expect(await preview('group')).toEqual({
      ...{ from: 'global', to: 'group', is_allowed: true },
      groups: [
        {
          ...{ id: group, name: expect.any(String) as string, obstacle: null },
          before: { monthly_limit: 25 },
          after: { monthly_budget: 0, monthly_budget_per_user: 25 },
          members: [{ id: other, email: expect.any(String) as string, before: 40, after: 40 }],
        },
      ],
    });
    expect([await bounds(mine), await bounds(theirs)]).toEqual(before);
    expect((await switchTo('group')).status).toBe(204);
    expect([await bounds(mine), await bounds(theirs)]).toEqual(before);
    expect(await groupOf(group)).toMatchObject({ monthly_budget: 0, monthly_budget_per_user: 25 });
    const audit = await suite.get('/v1/manage/audit?action=update-organization');
    expect(JSON.stringify(audit)).toContain('monthly_budget_per_user');

    expect((await switchTo('global')).status).toBe(204);
    expect([await bounds(mine), await bounds(theirs)]).toEqual(before);
  });

  it('lets what held before it win over budgets of an earlier time in that mode', async () => {
    const { group, member } = await suite.make.groupMember();
    const key = await suite.make.key({ group_id: group, member_id: member });
    await switchTo('group');
    await suite.send('PUT', `/v1/manage/group/${group}/member/${member}/budget`, { monthly_budget: 500 });
    await suite.send('POST', `/v1/manage/group/${group}/budget/user`, { monthly_budget_per_user: 400 });
    await switchTo('global');
    expect(await bounds(key)).toEqual({ group_member: 500 });
    await suite.send('PUT', `/v1/manage/group/${group}/member/${member}/limit`, { monthly_limit: null });
    await suite.send('PATCH', `/v1/manage/group/${group}`, { monthly_limit: 7 });
    expect(await bounds(key)).toEqual({ group_member: 7 });
    await switchTo('group');
    expect(await bounds(key)).toEqual({ group_member: 7 });
  });
});

describe('a switch to Global mode', () => {
  it('is refused while a group has a budget, with a list, until a limit of the table holds it or it is taken away', async () => {
    await switchTo('group');
    const [first, second] = [await suite.make.group({ monthly_limit: 100 }), await suite.make.group({ monthly_limit: 30 })];
    await suite.send('POST', `/v1/manage/group/${first}/budget/user`, { monthly_budget_per_user: 20 });

    expect(await preview('global')).toMatchObject({
      is_allowed: false,
      groups: [
        {
          id: first,
          before: { monthly_budget: 100 },
          after: { monthly_limit: 20 },
          obstacle: expect.stringContaining('100 USD') as string,
        },
        { id: second, obstacle: expect.stringContaining('30 USD') as string },
      ],
    });
    const refused = await switchTo('global');
    expect(refused.status).toBe(409);
    expect(refused.json.error).toMatchObject({
      code: 'conflict',
      problems: [{ path: `groups.${first}` }, { path: `groups.${second}` }],
    });
    expect(refused.json.error.message).toContain('"scope": "group"');
    expect((await suite.get('/v1/manage/org'))['organization']).toMatchObject({ budget_mode: 'group' });

    const limit = { name: 'of the first', scope: 'group', group_id: first, measure: 'usd', window: 'month' };
    const made = await suite.send('POST', '/v1/manage/limit', { ...limit, amount: 101 });
    expect(problemsOf(await switchTo('global'))).toHaveLength(2);
    await suite.send('PUT', `/v1/manage/limit/${String(made.json['id'])}`, { ...limit, amount: 100, models: ['sandbox/*'] });
    expect(problemsOf(await switchTo('global'))).toHaveLength(2);
    await suite.send('PUT', `/v1/manage/limit/${String(made.json['id'])}`, { ...limit, amount: 100 });
    expect(problemsOf(await switchTo('global'))).toEqual([
      { path: `groups.${second}`, message: expect.stringContaining('30 USD') as string },
    ]);

    await suite.send('POST', `/v1/manage/group/${second}/budget`, { monthly_budget: 0 });
    expect((await switchTo('global')).status).toBe(204);
    expect(await groupOf(first)).toMatchObject({ monthly_limit: 20 });
  });

  it('says of one that stays in its mode nothing, and changes nothing', async () => {
    const group = await suite.make.group({ monthly_limit: 3 });
    expect(await preview('global')).toBeUndefined();
    expect((await switchTo('global')).status).toBe(204);
    expect(await groupOf(group)).toMatchObject({ monthly_limit: 3 });
  });
});

describe('budgets of groups', () => {
  it('bound those of members: more for one of them is refused, in every field that gives it', async () => {
    await switchTo('group');
    const { group, member } = await suite.make.groupMember();
    const at = `/v1/manage/group/${group}`;
    for (const [method, path, body] of [
      ['PUT', `${at}/member/${member}/budget`, { monthly_budget: 10.01 }],
      ['PUT', `${at}/member/${member}/limit`, { monthly_limit: 10.01 }],
      ['POST', `${at}/budget/user`, { monthly_budget_per_user: 10.01 }],
    ] as const) {
      const refused = await suite.send(method, path, body);
      expect([refused.status, refused.json.error.message.includes('10 USD')]).toEqual([400, true]);
    }
    expect((await suite.send('PUT', `${at}/member/${member}/budget`, { monthly_budget: 10 })).status).toBe(200);
    await suite.send('POST', `${at}/budget`, { monthly_budget: 0 });
    expect((await suite.send('PUT', `${at}/member/${member}/budget`, { monthly_budget: 1000 })).status).toBe(200);
  });

  it('name the limit that one group can have without another mode, where they are looked for in Global mode', async () => {
    const { group, member } = await suite.make.groupMember();
    const at = `/v1/manage/group/${group}`;
    for (const [method, path, body] of [
      ['POST', `${at}/budget`, { monthly_budget: 5 }],
      ['POST', `${at}/budget/user`, { monthly_budget_per_user: 5 }],
      ['PUT', `${at}/member/${member}/budget`, { monthly_budget: 5 }],
    ] as const) {
      const refused = await suite.send(method, path, body);
      expect([refused.status, refused.json.error.message.includes('POST /v1/manage/limit')]).toEqual([409, true]);
    }
  });
});
