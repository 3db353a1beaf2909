import { createPeopleMaker } from './__fixtures__/people';
import type { Reply } from './__fixtures__/start-management';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const suite = useManagement();
const people = createPeopleMaker(suite);

type Sent = { readonly key?: string; readonly headers?: Record<string, string> };

/** As directories send it. */
const scim = (route: string, body?: object, { key = suite.ours.apiKey, headers = {} }: Sent = {}): Promise<Reply> => {
  const [method = '', path = ''] = route.split(' ');
  const type = body === undefined ? {} : { 'content-type': 'application/scim+json; charset=utf-8' };
  const options = { key, headers: { ...type, ...headers }, ...(body === undefined ? {} : { body }) };
  return suite.harness.call(method, `/scim/v2${path}`, options);
};
const patch = (path: string, ...Operations: readonly object[]): Promise<Reply> => scim(`PATCH ${path}`, { schemas: [PATCH], Operations });
const find = async (kind: 'Users' | 'Groups', filter: string): Promise<unknown[]> =>
  (await scim(`GET /${kind}?filter=${encodeURIComponent(filter)}`)).json['Resources'] as unknown[];
const idOf = ({ json, status, text }: Reply): string => {
  if (status !== 201) throw new Error(`${status}: ${text}`);
  return String(json['id']);
};
let count = 0;
const newUser = (changes: object = {}): Promise<Reply> => {
  count += 1;
  return scim('POST /Users', { schemas: [USER], userName: `person${count}@${suite.ours.id.slice(0, 8)}.example`, ...changes });
};
const memberOf = (userId: string) =>
  suite.harness.database.prisma.orgMember.findUniqueOrThrow({
    where: { organizationId_userId: { organizationId: suite.ours.id, userId } },
    include: { user: true },
  });
const groupsOf = (userId: string) =>
  suite.harness.database.prisma.groupMember.findMany({
    where: { userId },
    select: { groupId: true, role: true, source: true, isActive: true },
    orderBy: { createdAt: 'asc' },
  });

describe('a directory like Entra ID', () => {
  it('looks for a person, makes them, changes them, and has them offboarded and back', async () => {
    expect(await find('Users', 'userName eq "Ada@Acme.example"')).toEqual([]);
    const made = await scim('POST /Users', {
      schemas: [USER, ENTERPRISE],
      ...{ externalId: 'ada', userName: 'Ada@Acme.example', active: true, displayName: 'Ada King', title: 'Analyst' },
      emails: [{ primary: true, type: 'work', value: 'Ada.King@Acme.example' }],
      ...{ meta: { resourceType: 'User' }, name: { formatted: 'Ada King', familyName: 'King', givenName: 'Ada' }, roles: [] },
      [ENTERPRISE]: { department: 'Engines', employeeNumber: '7' },
    });
    const id = idOf(made);
    expect([made.status, made.headers.get('content-type'), made.headers.get('location')]).toEqual([
      ...[201, 'application/scim+json', `/scim/v2/Users/${id}`],
    ]);
    expect(made.json).toMatchObject({
      ...{ schemas: [USER, ENTERPRISE], id, externalId: 'ada', userName: 'Ada@Acme.example', active: true, title: 'Analyst' },
      meta: { resourceType: 'User', location: `/scim/v2/Users/${id}`, version: made.headers.get('etag') },
    });
    expect(await memberOf(id)).toMatchObject({
      ...{ role: 'member', status: 'active', source: 'scim', userName: 'ada@acme.example' },
      user: { email: 'ada.king@acme.example', firstName: 'Ada', lastName: 'King' },
    });
    for (const filter of ['userName eq "ADA@acme.example"', 'externalId eq "ada"', 'emails[type eq "work"].value eq "x"'].slice(0, 2))
      expect(await find('Users', filter)).toMatchObject([{ id }]);

    const changed = await patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada@acme.example' },
      { op: 'Replace', path: 'name.familyName', value: 'Lovelace' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: suite.ours.userId },
    );
    expect([changed.status, changed.json['name']]).toEqual([200, { formatted: 'Ada King', familyName: 'Lovelace', givenName: 'Ada' }]);
    expect((await memberOf(id)).user).toMatchObject({ email: 'ada@acme.example', lastName: 'Lovelace' });

    const key = await people.key({ member_id: id });
    const off = await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
    expect([off.status, off.json['active'], await suite.works(key.secret)]).toEqual([200, false, false]);
    expect(suite.harness.identityProvider.removed).toContain('ada@acme.example');
    expect(await suite.changes()).toContain(`api-key ${key.id}`);
    const back = await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' });
    expect([back.json['active'], await suite.works(key.secret), (await memberOf(id)).role]).toEqual([true, false, 'member']);
    const audit = (await suite.get('/v1/manage/audit'))['audit'].map(({ action, before, after }) => ({ action, before, after }));
    expect(audit[0]).toMatchObject({ action: 'scim-patch-user', before: { active: false }, after: { active: true, changed: ['active'] } });
    expect(audit[1]).toMatchObject({ before: { active: true }, after: { active: false, revoked_keys: [key.id] } });
    // What people are called and how they are reached is not kept for good.
    expect(JSON.stringify(audit.filter(({ action }) => action === 'scim-patch-user'))).not.toContain('Engines');
  });

  it('keeps groups without asking for their members, and members who come back are in them', async () => {
    const [ada, bob] = [idOf(await newUser()), idOf(await newUser({ active: false }))];
    const group = idOf(
      await scim('POST /Groups', { schemas: [GROUP], externalId: 'g', displayName: 'Engines', meta: { resourceType: 'Group' } }),
    );
    expect(await find('Groups', 'displayName eq "Engines"')).toMatchObject([{ id: group, externalId: 'g' }]);
    expect(await find('Groups', 'displayName eq "engines"')).toEqual([]);
    const added = await patch(`/Groups/${group}`, {
      op: 'Add',
      path: 'members',
      value: [
        { $ref: null, value: ada },
        { $ref: null, value: bob },
      ],
    });
    const member = (value: string) => ({ value, $ref: `/scim/v2/Users/${value}`, type: 'User' });
    expect(new Set(added.json['members'] as object[])).toEqual(new Set([member(ada), member(bob)]));
    expect(await groupsOf(bob)).toEqual([{ groupId: group, role: 'member', source: 'scim', isActive: false }]);
    expect(await find('Groups', `id eq "${group}" and members eq "${ada}"`)).toHaveLength(1);
    expect(await find('Groups', `id eq "${group}" and members[value eq "${suite.ours.userId}"]`)).toEqual([]);
    const without = await scim(`GET /Groups/${group}?excludedAttributes=members`);
    expect([without.json['displayName'], without.json['members']]).toEqual(['Engines', undefined]);

    await patch(`/Users/${bob}`, { op: 'replace', path: 'active', value: true });
    await patch(`/Users/${ada}`, { op: 'replace', path: 'active', value: false });
    expect([(await groupsOf(ada))[0]?.isActive, (await groupsOf(bob))[0]?.isActive]).toEqual([false, true]);
    await patch(`/Users/${ada}`, { op: 'replace', path: 'active', value: true });
    expect((await scim(`GET /Users/${ada}`)).json['groups']).toEqual([
      { value: group, $ref: `/scim/v2/Groups/${group}`, display: 'Engines', type: 'direct' },
    ]);
    const removed = await patch(`/Groups/${group}`, { op: 'Remove', path: `members[value eq "${ada}"]` });
    expect(removed.json['members']).toMatchObject([{ value: bob }]);
    expect(await suite.changes()).toContain(`organization ${suite.ours.id}`);
  });
});

describe('a directory like Okta', () => {
  it('replaces the whole person, and leaves out what it does not know', async () => {
    const body = {
      ...{ schemas: [USER], userName: 'bob@acme.example', name: { givenName: 'Bob', familyName: 'Stone' }, displayName: 'Bob Stone' },
      ...{ emails: [{ primary: true, value: 'bob@acme.example', type: 'work' }], locale: 'en-US', externalId: '00u1', groups: [] },
    };
    const made = await scim('POST /Users', { ...body, password: 'a secret of Okta', active: true });
    const id = idOf(made);
    expect(made.text).not.toContain('secret');
    await suite.send('PUT', `/v1/manage/org/member/${id}/role`, { role: 'admin' });
    const replaced = await scim(`PUT /Users/${id}`, { ...body, displayName: 'Robert', id, active: true });
    expect(replaced.json).toMatchObject({ id, displayName: 'Robert', active: true, roles: [{ value: 'admin' }] });
    expect((await memberOf(id)).role).toBe('admin');
    const off = await scim(`PUT /Users/${id}`, { ...body, id, active: false });
    expect([off.json['active'], off.json['roles']]).toEqual([false, undefined]);
    expect((await scim(`PUT /Users/${id}`, { ...body, id })).json['active']).toBe(false);
    expect((await patch(`/Users/${id}`, { op: 'replace', value: { active: true } })).json['active']).toBe(true);
    expect((await memberOf(id)).role).toBe('member');
    expect((await scim('GET /Users?filter=userName%20eq%20%22bob@acme.example%22&startIndex=1&count=100')).json).toMatchObject({
      ...{ totalResults: 1, itemsPerPage: 1, startIndex: 1, Resources: [{ id }] },
    });
  });

  it('pushes groups: a name without a path, members one by one and all at once', async () => {
    const [ada, bob] = [idOf(await newUser()), idOf(await newUser())];
    const group = idOf(await scim('POST /Groups', { schemas: [GROUP], displayName: 'Test', members: [{ value: ada, display: 'Ada' }] }));
    await suite.send('PUT', `/v1/manage/group/${group}/member/${ada}/limit`, { monthly_limit: 5 });
    await suite.send('PUT', `/v1/manage/group/${group}/member/${ada}/role`, { role: 'admin' });
    const renamed = await patch(`/Groups/${group}`, { op: 'replace', value: { id: group, displayName: 'Tests' } });
    expect([renamed.status, renamed.json['displayName']]).toEqual([200, 'Tests']);
    await patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: bob, display: 'Bob' }] });
    const replaced = await scim(`PUT /Groups/${group}`, { schemas: [GROUP], id: group, displayName: 'Tests', members: [{ value: ada }] });
    expect(replaced.json['members']).toMatchObject([{ value: ada }]);
    const [kept] = (await suite.get(`/v1/manage/group/${group}`))['group'].members;
    expect(kept).toMatchObject({ id: ada, role: 'admin', monthly_limit: 5 });
    expect((await scim(`DELETE /Groups/${group}`)).status).toBe(204);
    expect((await scim(`GET /Groups/${group}`)).status).toBe(404);
  });
});

describe('versions', () => {
  it('are in the ETag, keep a client from changing what it has not read, and from reading again what it has', async () => {
    const id = idOf(await newUser());
    const etag = (await scim(`GET /Users/${id}`)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    expect((await scim(`GET /Users/${id}`, undefined, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const change = (match: string, title: string): Promise<Reply> =>
      scim(`PATCH /Users/${id}`, { Operations: [{ op: 'add', path: 'title', value: title }] }, { headers: { 'if-match': match } });
    expect((await change(etag, 'a')).status).toBe(200);
    const refused = await change(etag, 'b');
    expect([refused.status, refused.json.detail]).toEqual([412, expect.stringContaining('changed since')]);
    expect((await change('*', 'b')).status).toBe(200);
    expect((await scim(`DELETE /Users/${id}`, undefined, { headers: { 'if-match': etag } })).status).toBe(412);

    const group = await suite.make.group();
    const readEtag = async (): Promise<string> => (await scim(`GET /Groups/${group}`)).headers.get('etag') ?? '';
    const empty = await readEtag();
    await patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: id }] });
    const full = await readEtag();
    const stale = { headers: { 'if-match': empty } };
    expect((await scim(`PUT /Groups/${group}`, { displayName: 'x' }, stale)).status).toBe(412);
    await suite.send('DELETE', `/v1/manage/org/member/${id}`);
    expect(new Set([empty, full, await readEtag()]).size).toBe(3);
  });

  it('change nothing, and leave no line in the audit log, when a directory repeats itself', async () => {
    const id = idOf(await newUser({ title: 'Analyst' }));
    const lines = async (): Promise<number> => (await suite.get('/v1/manage/audit?limit=100'))['audit'].length;
    const before = await lines();
    const reply = await patch(
      `/Users/${id}`,
      { op: 'replace', path: 'title', value: 'Analyst' },
      { op: 'replace', path: 'active', value: true },
    );
    expect([reply.status, await lines()]).toEqual([200, before]);
  });
});

describe('lists', () => {
  it('have members that no directory has made, page by page, and only what was asked for', async () => {
    const ids = [
      suite.ours.userId,
      await suite.make.member({ first_name: 'Eve' }),
      idOf(await newUser()),
      idOf(await newUser({ active: false })),
    ];
    const list = async (query: string) =>
      (await scim(`GET /Users?${query}`)).json as unknown as { totalResults: number; Resources: { id: string }[] };
    const pages = [await list('count=3'), await list('startIndex=4&count=3'), await list('startIndex=9'), await list('count=0')];
    expect(pages.map(({ totalResults, Resources }) => [totalResults, Resources.length])).toEqual([
      [4, 3],
      [4, 1],
      [4, 0],
      [4, 0],
    ]);
    expect(pages.flatMap(({ Resources }) => Resources.map(({ id }) => id))).toEqual(ids);
    expect((await list('filter=active%20eq%20false')).Resources).toMatchObject([{ id: ids[3] }]);
    expect((await list('filter=name.givenName%20eq%20%22eve%22&attributes=name')).Resources).toEqual([
      { schemas: [USER], id: ids[1], name: { givenName: 'Eve' } },
    ]);
    expect((await list('filter=roles%20eq%20%22admin%22')).Resources).toMatchObject([{ id: suite.ours.userId }]);
    expect((await scim('POST /Users/.search', { filter: 'userName sw "person"', count: 1 })).json).toMatchObject({
      totalResults: 3,
      itemsPerPage: 1,
    });
    // Flags of directories are none of ours.
    expect((await scim('GET /Users?aadOptscim062020&count=1')).status).toBe(200);
  });
});

describe('what is refused', () => {
  it('a second one of a name, of another organization too only where it is there', async () => {
    const taken = { schemas: [USER], userName: 'taken@acme.example' };
    const id = idOf(await scim('POST /Users', taken));
    for (const again of [taken, { ...taken, userName: 'other', emails: [{ value: 'TAKEN@acme.example' }] }]) {
      const reply = await scim('POST /Users', again);
      expect([reply.status, reply.json['scimType']]).toEqual([409, 'uniqueness']);
    }
    const other = idOf(await newUser());
    expect((await patch(`/Users/${other}`, { op: 'replace', path: 'userName', value: 'Taken@acme.example' })).status).toBe(409);
    const elsewhere = await suite.seedOther();
    const theirs = await scim('POST /Users', taken, { key: elsewhere.apiKey });
    expect([theirs.status, theirs.json['id']]).toEqual([201, id]);
    // Whose account it is in both is for the person to say.
    const change = { op: 'replace', path: 'emails', value: [{ value: 'new@acme.example' }] };
    const shared = await patch(`/Users/${id}`, change);
    expect([shared.status, shared.json['scimType']]).toEqual([400, 'mutability']);
    expect((await patch(`/Users/${id}`, { op: 'replace', path: 'name.givenName', value: 'Ours' })).json['name']).toEqual({
      givenName: 'Ours',
    });
    expect((await scim(`GET /Users/${id}`, undefined, { key: elsewhere.apiKey })).json['name']).toBeUndefined();
    expect((await memberOf(id)).user).toMatchObject({ email: 'taken@acme.example', firstName: '' });
  });

  it('what belongs to another organization, wherever it is named', async () => {
    const elsewhere = await suite.seedOther();
    const [user, group] = [idOf(await newUser()), await suite.make.group()];
    for (const route of [`/Users/${user}`, `/Groups/${group}`]) {
      for (const [method, body] of [
        ['GET'],
        ['DELETE'],
        ['PUT', { userName: 'a@b.example', displayName: 'x' }],
        ['PATCH', { Operations: [{ op: 'add', path: 'externalId', value: 'x' }] }],
      ] as const)
        expect((await scim(`${method} ${route}`, body, { key: elsewhere.apiKey })).status).toBe(404);
    }
    const theirGroup = { displayName: 'theirs', members: [{ value: user }] };
    expect((await scim('POST /Groups', theirGroup, { key: elsewhere.apiKey })).status).toBe(400);
    expect((await scim('GET /Users', undefined, { key: elsewhere.apiKey })).json).toMatchObject({ totalResults: 1 });
    expect((await scim('GET /Groups', undefined, { key: elsewhere.apiKey })).json).toMatchObject({ totalResults: 0 });
  });

  it('the last administrator, whichever way they would go', async () => {
    const { userId } = suite.ours;
    const ways = [
      patch(`/Users/${userId}`, { op: 'replace', path: 'active', value: false }),
      patch(`/Users/${userId}`, { op: 'remove', path: 'roles' }),
      scim(`DELETE /Users/${userId}`),
    ];
    for (const reply of await Promise.all(ways))
      expect([reply.status, reply.json.detail]).toEqual([409, expect.stringContaining('administrator')]);
    const ada = idOf(await newUser({ roles: [{ value: 'admin', primary: 'True' }] }));
    expect((await memberOf(ada)).role).toBe('admin');
    await people.key({ member_id: ada, permissions: { manage: 'write' } });
    expect((await patch(`/Users/${userId}`, { op: 'replace', path: 'roles', value: [{ value: 'member' }] })).json['roles']).toEqual([
      { value: 'member' },
    ]);
    expect((await memberOf(userId)).role).toBe('member');
  });

  it('a group in a group, and the end of one that has keys', async () => {
    const [group, inner] = [await suite.make.group(), await suite.make.group()];
    const nested = await patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: inner, type: 'Group' }] });
    expect([nested.status, nested.json.detail]).toEqual([400, expect.stringContaining('groups are in no groups')]);
    await suite.createKey({ group_id: group });
    expect((await scim(`DELETE /Groups/${group}`)).status).toBe(409);
  });

  it('a body that is no SCIM, in the shape of SCIM', async () => {
    const reply = await suite.harness.call('POST', '/scim/v2/Users', { key: suite.ours.apiKey, body: '{"userName":' });
    expect([reply.status, reply.headers.get('content-type'), reply.json]).toEqual([
      ...[400, 'application/scim+json'],
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '400',
        scimType: 'invalidSyntax',
        detail: expect.any(String) as string,
      },
    ]);
  });
});

describe('somebody who was deleted', () => {
  it('is gone for the directory, and comes back under the same account when they are provisioned again', async () => {
    const userName = 'gone@acme.example';
    const id = idOf(await scim('POST /Users', { userName, title: 'Analyst' }));
    const group = idOf(await scim('POST /Groups', { displayName: 'Left', members: [{ value: id }] }));
    const key = await people.key({ member_id: id });
    expect((await scim(`DELETE /Users/${id}`)).status).toBe(204);
    expect([await suite.works(key.secret), (await scim(`GET /Users/${id}`)).status, (await scim(`DELETE /Users/${id}`)).status]).toEqual([
      false,
      404,
      404,
    ]);
    expect(await find('Users', `userName eq "${userName}"`)).toEqual([]);
    expect((await scim(`GET /Groups/${group}`)).json['members']).toBeUndefined();
    expect((await scim(`PUT /Groups/${group}`, { displayName: 'Left', members: [{ value: id }] })).status).toBe(400);
    const again = await scim('POST /Users', { userName });
    expect([again.status, again.json['id'], again.json['title'], again.json['groups']]).toEqual([201, id, undefined, undefined]);
  });

  it('is seen again once an administrator adds them', async () => {
    const id = idOf(await scim('POST /Users', { userName: 'added@acme.example' }));
    await scim(`DELETE /Users/${id}`);
    await suite.send('POST', '/v1/manage/org/member', { email: 'added@acme.example' });
    expect((await scim(`GET /Users/${id}`)).json).toMatchObject({ id, active: true });
  });

  it('is offboarded with a 502 while the identity provider is down, and by the same request once it is not', async () => {
    const id = idOf(await newUser());
    const key = await people.key({ member_id: id });
    const off = (): Promise<Reply> => patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
    suite.harness.identityProvider.isDown = true;
    const failed = await off();
    suite.harness.identityProvider.isDown = false;
    expect([failed.status, failed.json['status'], await suite.works(key.secret)]).toEqual([502, '502', false]);
    const before = suite.harness.identityProvider.removed.length;
    expect([(await off()).status, suite.harness.identityProvider.removed.length]).toEqual([200, before + 1]);
  });
});
