import { ENDPOINTS, getEndpoint, type EndpointRow } from '@weir/contracts';
import { createUsageStore } from '@weir/database';
import { makeUsageEvent, sequenceEvents } from '@weir/testing';
import { randomUUID } from 'node:crypto';
import type { EndpointCase } from './__fixtures__/endpoint-case';
import { ENDPOINT_CASES } from './__fixtures__/endpoint-cases';
import { createPeopleMaker, type HeldKey, type Team } from './__fixtures__/people';
import type { Reply } from './__fixtures__/start-management';
import { useManagement } from './__fixtures__/use-management';
import { REACH } from './authority/reach';

jest.setTimeout(60_000);

const suite = useManagement();
const people = createPeopleMaker(suite);

const DAY_MS = 86_400_000;

type Role = 'operator' | 'organization-admin' | 'group-admin' | 'member';
const RANK: Readonly<Record<Role, number>> = { member: 0, 'group-admin': 1, 'organization-admin': 2, operator: 3 };
const LIMITED = ['group-admin', 'member'] as const;

/** Contents of requests have a permission of their own, whatever the role: `contents.int.spec`. */
const ROWS = (ENDPOINTS as readonly EndpointRow[]).filter(
  ({ service, permission }) => service === 'management-api' && permission.kind !== 'contents',
);
const whoOf = ({ permission }: EndpointRow): Role | 'any key' => (permission.kind === 'manage' ? permission.who : 'any key');
const SHARED = ROWS.filter((row) => whoOf(row) === 'group-admin' || whoOf(row) === 'member');

let red: Team;
let blue: Team;
/** Of the member, which infers. */
let redKey: HeldKey;
let blueKey: HeldKey;
let madeFor: string | undefined;

beforeEach(async () => {
  if (madeFor === suite.ours.id) return;
  madeFor = suite.ours.id;
  [red, blue] = [await people.team(), await people.team()];
  redKey = await people.key({ member_id: red.member.userId, group_id: red.id });
  blueKey = await people.key({ member_id: blue.member.userId, group_id: blue.id });
});

const keyOf = (team: Team, role: (typeof LIMITED)[number]): string => (role === 'group-admin' ? team.admin : team.member).apiKey;
const fill = (row: EndpointRow, params: Record<string, string>): string =>
  row.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');

async function ask(key: string, given: EndpointCase, params: Record<string, string>, body?: object): Promise<Reply> {
  const row = getEndpoint(given.id);
  return suite.harness.call(row.method, fill(row, params) + (given.query ?? ''), { key, ...(body === undefined ? {} : { body }) });
}

const caseOf = (id: string): EndpointCase => {
  const found = ENDPOINT_CASES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`${id} has no case`);
  return found;
};

/** The same request as the case's, of what the red team has. */
async function askAboutRed(key: string, id: string): Promise<Reply> {
  const given = caseOf(id);
  const row = getEndpoint(id);
  const params = { id: row.path.includes('/apikey/') ? redKey.id : red.id, member_id: red.member.userId };
  const bodies: Record<string, object> = {
    'create-api-key': { name: 'new', member_id: red.member.userId, group_id: red.id },
    'add-group-member': { user_id: red.member.userId, role: 'member' },
    'remove-group-member': { user_id: red.member.userId },
    'set-group-member-budget': { monthly_budget: 5 },
  };
  const body = row.method === 'GET' || row.method === 'DELETE' ? bodies[id] : (bodies[id] ?? (await given.body?.(suite.make)) ?? {});
  return ask(key, given, params, body);
}

it('says of every endpoint how far it reaches that is not for administrators of the organization alone', () => {
  expect(Object.keys(REACH).sort()).toEqual(SHARED.map(({ id }) => id).sort());
});

describe.each(ROWS.map((row) => [row.id, row] as const))('%s', (id, row) => {
  const who = whoOf(row);
  const given = caseOf(id);

  for (const role of LIMITED.filter((one) => who !== 'any key' && RANK[one] < RANK[who])) {
    it(`returns 403 to a ${role} and changes nothing`, async () => {
      const params = (await given.params?.(suite.make)) ?? {};
      const body = id === 'remove-group-member' ? { user_id: params['member_id'] } : await given.body?.(suite.make);
      const before = await readAudit();

      for (const team of [red, blue]) {
        const reply = await ask(keyOf(team, role), given, params, body);

        const message = row.errorDialect === 'scim' ? reply.json.detail : reply.json['error'].message;
        expect([reply.status, message]).toEqual([403, expect.stringMatching(/dministrators of/)]);
      }
      expect(await readAudit()).toEqual(before);
      suite.keepOurs();
    });
  }

  if (who === 'any key') {
    it('is every key’s, about itself', async () => {
      for (const { apiKey, apiKeyId } of [red.admin, red.member]) {
        const reply = await ask(apiKey, given, {});
        expect(reply.status).toBe(200);
        if (id === 'read-calling-api-key') expect(reply.json).toMatchObject({ id: apiKeyId });
      }
      suite.keepOurs();
    });
    return;
  }
  if (who === 'organization-admin' || who === 'operator') return;

  it('serves those it is for, of their own group', async () => {
    const expected = given.status;

    expect((await askAboutRed(red.admin.apiKey, id)).status).toBe(expected);
    // The administrator may have taken the member out, or the key.
    if (id !== 'remove-group-member' && id !== 'revoke-api-key')
      expect((await askAboutRed(red.member.apiKey, id)).status).toBe(who === 'member' ? expected : 403);
  });

  it('shows nothing of another group, and changes nothing of it', async () => {
    const ofRed = [red.id, redKey.id, ...(id === 'list-members' ? [] : [red.admin.apiKeyId, red.member.apiKeyId])];
    const before = await readAudit();
    for (const role of LIMITED) {
      const { status, text } = await askAboutRed(keyOf(blue, role), id);

      if (RANK[role] < RANK[who]) expect(status).toBe(403);
      else if (row.path.includes(':')) expect(status).toBe(404);
      else if (row.method === 'GET') expect(status).toBe(200);
      else expect([role, status]).toEqual([role, role === 'member' ? 403 : 404]);
      if (status === 200) for (const hidden of ofRed) expect(text).not.toContain(hidden);
    }
    expect(await readAudit()).toEqual(before);
    suite.keepOurs();
  });
});

async function readAudit(): Promise<unknown[]> {
  return [...(await suite.get('/v1/manage/audit?limit=100'))['audit']].map(({ id }) => id);
}

describe('an administrator of a group', () => {
  const refused = async (method: string, path: string, body?: object): Promise<number> =>
    (await suite.harness.call(method, path, { key: red.admin.apiKey, ...(body === undefined ? {} : { body }) })).status;
  const inRed = (path: string): string => `/v1/manage/group/${red.id}${path}`;
  const ofMember = (userId: string, path: string): string => inRed(`/member/${userId}/${path}`);

  it('makes keys that infer, for members of the group and into it, and no others', async () => {
    const make = (body: object): Promise<Reply> =>
      suite.harness.call('POST', '/v1/manage/apikey', { key: red.admin.apiKey, body: { name: 'new', ...body } });
    const [mine, ours] = [await make({}), await make({ member_id: red.member.userId })];
    const owners = await suite.harness.database.prisma.apiKey.findMany({
      where: { id: { in: [mine, ours].map(({ json }) => String(json['api_key_id'])) } },
      orderBy: { createdAt: 'asc' },
    });

    expect(owners).toMatchObject([
      { userId: red.admin.userId, createdBy: red.admin.userId, groupId: red.id, permManage: 'none' },
      { userId: red.member.userId, createdBy: red.member.userId, groupId: red.id, permManage: 'none' },
    ]);
    const statuses = await Promise.all(
      [
        { member_id: red.member.userId, permissions: { manage: 'read' } },
        { permissions: { manage: 'write' } },
        { group_id: blue.id },
        { member_id: red.member.userId, group_id: blue.id },
        { member_id: blue.member.userId },
        { member_id: suite.ours.userId },
      ].map(async (body) => (await make(body)).status),
    );
    expect(statuses).toEqual([403, 403, 404, 404, 404, 404]);
  });

  it('may not raise what the group or its members may spend above what the group was given', async () => {
    await suite.send('PATCH', '/v1/manage/org', { budget_mode: 'group' });
    await suite.send('POST', inRed('/budget'), { monthly_budget: 10 });

    expect(await refused('POST', inRed('/budget'), { monthly_budget: 1000 })).toBe(403);
    expect(await refused('PATCH', inRed(''), { monthly_limit: 1000 })).toBe(403);
    for (const value of [10.5, 0]) {
      expect(await refused('PUT', ofMember(red.member.userId, 'budget'), { monthly_budget: value })).toBe(403);
      expect(await refused('PUT', ofMember(red.member.userId, 'limit'), { monthly_limit: value })).toBe(403);
    }
    expect(await refused('PUT', ofMember(red.member.userId, 'budget'), { monthly_budget: 10 })).toBe(200);
    expect(await refused('PUT', ofMember(red.member.userId, 'budget'), { monthly_budget: null })).toBe(200);
  });

  it('may not decide about themself, other administrators, or who administers', async () => {
    const equal = await people.person();
    await suite.send('POST', inRed('/member'), { user_id: equal.userId, role: 'admin' });
    await suite.send('POST', inRed('/member'), { user_id: suite.ours.userId, role: 'member' });

    for (const userId of [red.admin.userId, equal.userId, suite.ours.userId]) {
      expect(await refused('PUT', ofMember(userId, 'limit'), { monthly_limit: 1 })).toBe(403);
      expect(await refused('PUT', ofMember(userId, 'rate-limit'), { rate_limit: 1 })).toBe(403);
      expect(await refused('PUT', ofMember(userId, 'role'), { role: 'admin' })).toBe(403);
      expect(await refused('DELETE', inRed('/member'), { user_id: userId })).toBe(403);
      expect(await refused('POST', inRed('/member'), { user_id: userId, role: 'member' })).toBe(403);
    }
    expect(await refused('POST', inRed('/member'), { user_id: red.member.userId, role: 'admin' })).toBe(403);
  });

  it('may not slow down members of other groups by their rate', async () => {
    const rate = (): Promise<number> => refused('PUT', ofMember(red.member.userId, 'rate-limit'), { rate_limit: 5 });
    expect(await rate()).toBe(200);
    await suite.send('POST', `/v1/manage/group/${blue.id}/member`, { user_id: red.member.userId, role: 'member' });

    expect(await rate()).toBe(403);
  });

  it('may not end the rate of a member of other groups by taking them out and in again', async () => {
    const takeOut = (): Promise<number> => refused('DELETE', inRed('/member'), { user_id: red.member.userId });
    await suite.send('POST', `/v1/manage/group/${blue.id}/member`, { user_id: red.member.userId, role: 'member' });
    await suite.send('PUT', ofMember(red.member.userId, 'rate-limit'), { rate_limit: 5 });

    expect(await takeOut()).toBe(403);
    await suite.send('PUT', ofMember(red.member.userId, 'rate-limit'), { rate_limit: 0 });
    expect(await takeOut()).toBe(200);
  });

  it('may not decide about themself and other administrators of the group through keys', async () => {
    const equal = await people.person();
    await suite.send('POST', inRed('/member'), { user_id: equal.userId, role: 'admin' });
    const mine = await people.key({ group_id: red.id, member_id: red.admin.userId });
    const theirs = await people.key({ group_id: red.id, member_id: equal.userId });
    const ask = (id: string, path: string, body: object): Promise<number> => refused('POST', `/v1/manage/apikey/${id}/${path}`, body);

    for (const { id } of [mine, theirs]) {
      expect(await ask(id, 'limit', { monthly_limit: 9 })).toBe(403);
      expect(await ask(id, 'expiry', { expires_at: null })).toBe(403);
    }
    expect(await ask(theirs.id, 'rotate', {})).toBe(403);
    expect(await refused('POST', '/v1/manage/apikey', { name: 'new', group_id: red.id, member_id: equal.userId })).toBe(403);
    expect(await ask(mine.id, 'label', { labels: {} })).toBe(204);
    expect(await ask(mine.id, 'rotate', {})).toBe(200);
    expect(await refused('DELETE', `/v1/manage/apikey/${mine.id}`)).toBe(204);
  });

  it('may not take over a key that manages, is an administrator’s, or is no one’s', async () => {
    const inGroup = { group_id: red.id };
    const keys = [
      await people.key({ ...inGroup, member_id: red.member.userId, permissions: { manage: 'write' } }),
      await people.key({ ...inGroup, member_id: suite.ours.userId }),
      await people.key({ ...inGroup }),
    ];
    await suite.harness.database.prisma.apiKey.update({ where: { id: keys[2]?.id ?? '' }, data: { userId: null, createdBy: null } });

    for (const { id } of keys) {
      expect(await refused('GET', `/v1/manage/apikey/${id}`)).toBe(200);
      for (const [path, body] of [
        ['rotate', {}],
        ['limit', { monthly_limit: 9 }],
        ['label', { labels: {} }],
        ['expiry', { expires_at: null }],
      ] as const)
        expect(await refused('POST', `/v1/manage/apikey/${id}/${path}`, body)).toBe(403);
      expect(await refused('DELETE', `/v1/manage/apikey/${id}`)).toBe(403);
    }
  });

  it('sees what was used in the group and by themself, and nothing of other groups', async () => {
    const startMs = Date.now() - (Date.now() % DAY_MS) - DAY_MS;
    const event = (team: Team, apiKeyId: string) =>
      makeUsageEvent({
        ...{ org_id: suite.ours.id, api_key_id: apiKeyId, group_id: team.id, user_id: team.member.userId },
        admitted_at: startMs,
      });
    const store = createUsageStore({ pool: suite.harness.database.pool, now: Date.now });
    await store.applyBatch(sequenceEvents(randomUUID(), [event(red, redKey.id), event(red, redKey.id), event(blue, blueKey.id)]), null);
    const query = `?start=${new Date(startMs).toISOString()}&group_by=group_id`;
    const usage = async (key: string): Promise<unknown> => {
      const { json } = await suite.harness.call('GET', `/v1/manage/org/usage${query}`, { key });
      const [entry] = Object.values(
        json['usage'] as Record<string, { total_requests: number; grouped_data: { group_by_values: object }[] }>,
      );
      return [entry?.total_requests, entry?.grouped_data.map(({ group_by_values: values }) => values)];
    };

    expect(await usage(red.admin.apiKey)).toEqual([2, [{ group_id: red.id }]]);
    expect(await usage(blue.member.apiKey)).toEqual([1, [{ group_id: blue.id }]]);
    expect(((await usage(suite.ours.apiKey)) as unknown[])[0]).toBe(3);
    const performance = async (key: string): Promise<unknown> => {
      const { json } = await suite.harness.call('GET', `/v1/manage/org/performance${query}`, { key });
      const total = json['total'] as { requests: number; grouped_data: { group_by_values: object }[] };
      return [total.requests, total.grouped_data.map(({ group_by_values: values }) => values)];
    };
    expect(await performance(red.admin.apiKey)).toEqual([2, [{ group_id: red.id }]]);
    expect(await performance(blue.member.apiKey)).toEqual([1, [{ group_id: blue.id }]]);
    // Nothing of the key's time in a group of others.
    await suite.send('POST', `/v1/manage/apikey/${blueKey.id}/group`, { group_id: red.id });
    const moved = await suite.harness.call('GET', `/v1/manage/apikey/${blueKey.id}/usage${query}`, {
      key: red.admin.apiKey,
    });
    expect([moved.status, moved.json['usage']]).toEqual([200, {}]);
  });

  it('is one no more as soon as the role is taken', async () => {
    expect(await refused('GET', inRed(''))).toBe(200);
    await suite.send('PUT', ofMember(red.admin.userId, 'role'), { role: 'member' });

    expect(await refused('GET', inRed(''))).toBe(403);
  });
});

describe('a member', () => {
  const make = (key: string, body: object = {}): Promise<Reply> =>
    suite.harness.call('POST', '/v1/manage/apikey', { key, body: { name: 'mine', ...body } });

  it('makes own keys that infer, in a group of theirs, under what binds the calling key', async () => {
    const list = await suite.make.list();
    const bound = await people.key({
      member_id: red.member.userId,
      permissions: { manage: 'write', completions: 'read' },
      access_list_id: list,
    });
    const alone = await people.person();

    const made = [
      await make(red.member.apiKey),
      await make(bound.secret, { permissions: { completions: 'read' } }),
      await make(alone.apiKey),
    ];
    const keys = await Promise.all(
      made.map(({ json }) => suite.harness.database.prisma.apiKey.findUniqueOrThrow({ where: { id: String(json['api_key_id']) } })),
    );
    expect(keys).toMatchObject([
      { userId: red.member.userId, groupId: red.id, permManage: 'none', accessListId: null },
      { userId: red.member.userId, groupId: red.id, permCompletions: 'read', accessListId: list },
      { userId: alone.userId, groupId: null },
    ]);
    const refused = [
      await make(red.member.apiKey, { permissions: { manage: 'write' } }),
      await make(red.member.apiKey, { member_id: red.admin.userId }),
      await make(red.member.apiKey, { group_id: blue.id }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 404]);
  });

  it('makes and rotates keys that infer by a key that only manages', async () => {
    const { secret: key } = await people.key({ member_id: red.member.userId, permissions: { manage: 'write', completions: 'none' } });
    const { status, json } = await make(key);
    const rotated = await suite.harness.call('POST', `/v1/manage/apikey/${String(json['id'])}/rotate`, { key, body: {} });
    expect([status, rotated.status]).toEqual([201, 200]);
  });

  it('gets by rotating no key that manages more than the calling one, or is not bound by its list', async () => {
    const list = await suite.make.list();
    const holding = (more: object): Promise<HeldKey> => people.key({ member_id: red.member.userId, group_id: red.id, ...more });
    const rotate = async (key: string, id: string): Promise<number> =>
      (await suite.harness.call('POST', `/v1/manage/apikey/${id}/rotate`, { key, body: {} })).status;
    const reading = await holding({ permissions: { manage: 'write', completions: 'read' } });
    const listed = await holding({ permissions: { manage: 'write', completions: 'write' }, access_list_id: list });
    const alsoListed = await holding({ access_list_id: list });
    const free = await holding({});

    expect([await rotate(reading.secret, free.id), await rotate(listed.secret, free.id)]).toEqual([200, 403]);
    expect([await rotate(listed.secret, alsoListed.id), await rotate(red.member.apiKey, free.id)]).toEqual([200, 200]);
    expect([await rotate(reading.secret, reading.id), await rotate(listed.secret, listed.id)]).toEqual([200, 200]);
  });

  it('sees no balance of the organization, as code editors would show it', async () => {
    const shown = async (key: string): Promise<unknown> => (await suite.harness.call('GET', '/x/apikey', { key })).json;

    for (const { apiKey } of [red.member, red.admin]) expect(await shown(apiKey)).not.toHaveProperty('org_balance');
    expect(await shown(suite.ours.apiKey)).toHaveProperty('org_balance', expect.any(String));
  });

  it('says which group where they are in several', async () => {
    await suite.send('POST', `/v1/manage/group/${blue.id}/member`, { user_id: red.member.userId, role: 'member' });

    const unsaid = await make(red.member.apiKey);
    expect([unsaid.status, unsaid.json['error'].message]).toEqual([400, expect.stringContaining('`group_id`')]);
    expect((await make(red.member.apiKey, { group_id: blue.id })).status).toBe(201);
  });

  it('sees and ends their own keys, and no one else’s', async () => {
    const listed = (await suite.harness.call('GET', '/v1/manage/apikey', { key: red.member.apiKey })).json['keys'];

    expect(listed.map(({ id }) => id).sort()).toEqual([redKey.id, red.member.apiKeyId].sort());
    const end = async (id: string): Promise<number> =>
      (await suite.harness.call('DELETE', `/v1/manage/apikey/${id}`, { key: red.member.apiKey })).status;
    expect([await end(redKey.id), await end(blueKey.id), await end(suite.ours.apiKeyId)]).toEqual([204, 404, 404]);
    expect(await suite.works(redKey.secret)).toBe(false);
  });
});

it('says of the calling key as what it counts', async () => {
  const self = async (key: string): Promise<unknown> => {
    const { json } = await suite.harness.call('GET', '/v1/manage/apikey/self', { key });
    return [json['acts_as'], json['groups']];
  };

  expect(await self(suite.ours.apiKey)).toEqual(['organization-admin', []]);
  expect(await self(red.admin.apiKey)).toEqual(['group-admin', [{ id: red.id, role: 'admin' }]]);
  expect(await self(redKey.secret)).toEqual(['member', [{ id: red.id, role: 'member' }]]);
});
