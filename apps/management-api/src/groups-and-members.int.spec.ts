import { createMaker } from './__fixtures__/maker';
import type { Reply } from './__fixtures__/start-management';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();

describe('groups', () => {
  it('have budgets in group mode: the limit of their creation is then their total', async () => {
    await suite.send('PATCH', '/v1/manage/org', { budget_mode: 'group' });
    const { group, member } = await suite.make.groupMember();

    expect((await suite.send('POST', `/v1/manage/group/${group}/budget/user`, { monthly_budget_per_user: 2.5 })).status).toBe(204);
    const overridden = await suite.send('PUT', `/v1/manage/group/${group}/member/${member}/budget`, { monthly_budget: 4 });

    expect(overridden.json['group']).toMatchObject({
      monthly_budget: 10,
      monthly_budget_per_user: 2.5,
      members: [{ id: member, monthly_budget: 4 }],
    });
    expect(overridden.json['group']).not.toHaveProperty('monthly_limit');
    expect((await suite.send('POST', `/v1/manage/group/${group}/budget`, { monthly_budget: 20 })).status).toBe(204);
    expect((await suite.get('/v1/manage/group'))['groups']).toMatchObject([{ id: group, monthly_budget: 20, members_count: 1 }]);
  });

  it('show what holds for a member: an own value, the group’s without one, and 0 for no limit whatever the group says', async () => {
    const { group, member } = await suite.make.groupMember();
    const member_ = `/v1/manage/group/${group}/member/${member}`;
    const shown = async (): Promise<unknown> => {
      const [one] = (await suite.get(`/v1/manage/group/${group}`))['group'].members;
      return [one?.['monthly_limit'], one?.['monthly_budget']];
    };
    const enforced = async (): Promise<unknown> => {
      const { rows } = await suite.harness.database.pool.query<Record<string, string | null>>(
        'select monthly_limit_pico::text as l, monthly_budget_pico::text as b from group_member where group_id = $1',
        [group],
      );
      return [rows[0]?.['l'], rows[0]?.['b']];
    };

    expect([await shown(), await enforced()]).toEqual([
      [10, undefined],
      [null, null],
    ]);
    await suite.send('PUT', `${member_}/limit`, { monthly_limit: 0 });
    expect([await shown(), await enforced()]).toEqual([
      [0, undefined],
      ['0', null],
    ]);
    await suite.send('PUT', `${member_}/limit`, { monthly_limit: null });
    expect(await shown()).toEqual([10, undefined]);

    await suite.send('PATCH', '/v1/manage/org', { budget_mode: 'group' });
    await suite.send('POST', `/v1/manage/group/${group}/budget/user`, { monthly_budget_per_user: 2.5 });
    expect(await shown()).toEqual([0, 2.5]);
    await suite.send('PUT', `${member_}/limit`, { monthly_limit: 4 });
    expect(await shown()).toEqual([4, 4]);
    await suite.send('PUT', `${member_}/budget`, { monthly_budget: 0 });
    expect([await shown(), await enforced()]).toEqual([
      [4, 0],
      ['4000000000000', '0'],
    ]);
  });

  it('list members and what each spent in the group', async () => {
    const { group, member } = await suite.make.groupMember();
    await suite.harness.database.pool.query(
      `insert into spend_month (scope, scope_id, month, cost_pico, requests, version) values
       ('group', $1, date_trunc('month', now(), 'UTC'), 3000000000000, 1, 1), ('group_member', $2, date_trunc('month', now(), 'UTC'), 2000000000000, 1, 1)`,
      [group, `${group}/${member}`],
    );

    expect((await suite.get('/v1/manage/group'))['groups']).toMatchObject([
      {
        id: group,
        organization_id: suite.ours.id,
        members_count: 1,
        monthly_spend: 3,
        created_by: suite.ours.userId,
        monthly_limit: 10,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      },
    ]);
    expect((await suite.get(`/v1/manage/group/${group}`))['group'].members).toMatchObject([
      { id: member, role: 'member', monthly_spend: 2, active: true },
    ]);
  });

  it('take only members of the organization, and names that are free', async () => {
    const { group } = await suite.make.groupMember();
    const stranger = await createMaker(suite.harness, await suite.seedOther()).member();

    expect((await suite.send('POST', `/v1/manage/group/${group}/member`, { user_id: stranger, role: 'member' })).status).toBe(404);
    expect((await suite.send('POST', `/v1/manage/group/${group}/member`, { user_id: 'somebody', role: 'member' })).status).toBe(404);
    expect((await suite.send('POST', '/v1/manage/group', { name: 'group 1', monthly_limit: 1 })).status).toBe(409);
  });

  it('say that somebody is not in the group, not that the organization has no one of that id', async () => {
    const [group, member] = [await suite.make.group(), await suite.make.member()];

    const refused = [
      await suite.send('DELETE', `/v1/manage/group/${group}/member`, { user_id: member }),
      await suite.send('PUT', `/v1/manage/group/${group}/member/${member}/role`, { role: 'admin' }),
    ];

    for (const { status, json } of refused) {
      expect([status, json['error'].message]).toEqual([404, `The group has no member "${member}".`]);
    }
  });

  it('cannot be deleted while keys are in them', async () => {
    const group = await suite.make.group();
    const key = await suite.make.key({ group_id: group });

    expect((await suite.send('DELETE', `/v1/manage/group/${group}`)).status).toBe(409);
    await suite.send('POST', `/v1/manage/apikey/${key}/group`, { group_id: null });

    expect((await suite.send('DELETE', `/v1/manage/group/${group}`)).status).toBe(204);
    expect((await suite.send('GET', `/v1/manage/group/${group}`)).status).toBe(404);
  });
});

describe('offboarding', () => {
  it('revokes every key the member made, removes the member from all groups and from the identity provider', async () => {
    const { group, member } = await suite.make.groupMember();
    const { id, secret } = await suite.createKey();
    const mine = await suite.createKey();
    await suite.harness.database.prisma.apiKey.update({ where: { id }, data: { createdBy: member } });
    const before = (await suite.changes()).length;

    expect((await suite.send('DELETE', `/v1/manage/org/member/${member}`)).status).toBe(200);

    expect([await suite.works(secret), await suite.works(mine.secret)]).toEqual([false, true]);
    expect((await suite.get(`/v1/manage/group/${group}`))['group'].members).toEqual([]);
    expect((await suite.get('/v1/manage/org/member'))['members'].map((one) => one['user_id'])).toEqual([suite.ours.userId]);
    expect((await suite.changes()).slice(before)).toEqual([`api-key ${id}`, `group ${group}`]);
    expect(suite.harness.identityProvider.removed.at(-1)).toContain(suite.ours.apiKey.slice(-6).toLowerCase());
  });

  it('returns 502 when the identity provider fails, with the keys revoked already, and finishes on a retry', async () => {
    const member = await suite.make.member();
    const { id, secret } = await suite.createKey();
    await suite.harness.database.prisma.apiKey.update({ where: { id }, data: { createdBy: member } });
    suite.harness.identityProvider.isDown = true;

    const failed = await suite.send('DELETE', `/v1/manage/org/member/${member}`);
    suite.harness.identityProvider.isDown = false;

    expect([failed.status, failed.json['error'].origin, await suite.works(secret)]).toEqual([502, 'provider', false]);
    const reported = suite.harness.identityProvider.removed.length;
    expect((await suite.send('DELETE', `/v1/manage/org/member/${member}`)).status).toBe(200);
    expect(suite.harness.identityProvider.removed).toHaveLength(reported + 1);
  });

  it('leaves no key alive that the member makes at the same moment, and no group that they join', async () => {
    const { prisma } = suite.harness.database;
    const [member, group] = [await suite.make.member(), await suite.make.group()];
    const { id, secret } = await suite.createKey({ permissions: { manage: 'write' } });
    await prisma.apiKey.update({ where: { id }, data: { createdBy: member, userId: member } });
    const make = (): Promise<Reply> => suite.harness.call('POST', '/v1/manage/apikey', { key: secret, body: { name: 'one more' } });
    const join = (): Promise<Reply> => suite.send('POST', `/v1/manage/group/${group}/member`, { user_id: member, role: 'member' });
    const several = (ask: () => Promise<Reply>): Promise<Reply>[] => Array.from({ length: 6 }, ask);

    const offboarding = suite.send('DELETE', `/v1/manage/org/member/${member}`);
    const [ended, ...others] = await Promise.all([offboarding, ...several(make), ...several(join)]);

    expect(ended.status).toBe(200);
    expect(await prisma.apiKey.count({ where: { userId: member, status: 'active' } })).toBe(0);
    expect(await prisma.groupMember.count({ where: { userId: member } })).toBe(0);
    expect(others.filter(({ status }) => ![200, 201, 403, 404].includes(status))).toEqual([]);
  });

  it('is the end of a key even before the key itself is known to be revoked', async () => {
    const { prisma } = suite.harness.database;
    const member = await suite.make.member();
    const { id, secret } = await suite.createKey({ permissions: { manage: 'write' } });
    await prisma.apiKey.update({ where: { id }, data: { createdBy: member, userId: member } });
    await prisma.orgMember.updateMany({ where: { userId: member }, data: { status: 'offboarded' } });

    const refused = await suite.harness.call('POST', '/v1/manage/apikey', { key: secret, body: { name: 'one more' } });

    expect(refused).toMatchObject({ status: 403, json: { error: { code: 'invalid_credentials' } } });
  });

  it('returns 200 for an id that is no member’s', async () => {
    const elsewhere = await suite.seedOther();

    for (const id of [elsewhere.userId, '00000000-0000-4000-8000-000000000000', 'no-id']) {
      expect((await suite.send('DELETE', `/v1/manage/org/member/${id}`)).status).toBe(200);
    }
    expect(await suite.works(elsewhere.apiKey)).toBe(true);
  });
});
