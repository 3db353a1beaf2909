import { stringify } from 'yaml';
import { CHAT_MODEL } from './__fixtures__/maker';
import type { Reply } from './__fixtures__/start-management';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();
const PATH = '/v1/manage/configuration';

type Step = { readonly action: string; readonly kind: string; readonly name: string };
type Secret = { readonly kind: string; readonly name: string; readonly secret: string };

const head = (name = 'platform') => ({ apiVersion: 'weir/v1', kind: 'Configuration', metadata: { name } });
const apply = (sections: object, query = '', name = 'platform'): Promise<Reply> =>
  suite.send('PUT', PATH + query, { ...head(name), ...sections });
const stepsOf = (reply: Reply): string[] => {
  if (reply.status !== 200) throw new Error(reply.text);
  return (reply.json['steps'] as readonly Step[]).map(({ action, kind, name }) => `${action} ${kind} ${name}`);
};
const secretsOf = ({ json }: Reply): readonly Secret[] => json['secrets'] as readonly Secret[];
const problemsOf = ({ json }: Reply): { path: string; message: string }[] =>
  (json.error as unknown as { problems: { path: string; message: string }[] }).problems;

it('refuses a document in YAML that holds itself, one of aliases without end, and one that nests too deep', async () => {
  const lines = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`);
  for (const [text, reason] of [
    ['groups: &g [*g]', 'a document cannot hold itself'],
    ['groups: &g [{members: *g}]', 'a document cannot hold itself'],
    [`a0: &a0 [x]\n${lines.join('\n')}`, 'alias'],
    [`a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'too deep'],
  ] as const) {
    for (const [method, path] of [
      ['PUT', PATH],
      ['POST', `${PATH}/preview`],
    ] as const) {
      const headers = { authorization: `Bearer ${suite.ours.apiKey}`, 'content-type': 'application/yaml' };
      const reply = await fetch(suite.harness.url + path, { method, headers, body: text });
      expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining(reason)]);
    }
  }
});

const everything = {
  settings: { budget_mode: 'group', time_zone: 'Europe/Berlin', clamp_to_limit: true },
  members: [{ email: 'Ada@example.com', first_name: 'Ada', role: 'admin' }, { email: 'bob@example.com' }],
  policies: [
    { name: 'outer', strategy: 'fallback', models: ['policy/inner', CHAT_MODEL] },
    { name: 'inner', strategy: 'price', models: [{ model: CHAT_MODEL, retries: 1 }] },
  ],
  aliases: [{ name: 'team-model', model: 'policy/outer' }],
  access_lists: [{ name: 'cheap', chat: [CHAT_MODEL, 'policy/*', 'team-model', CHAT_MODEL] }],
  groups: [
    {
      name: 'research',
      monthly_budget: 100,
      monthly_budget_per_user: 20,
      labels: { team: 'research' },
      access_list: 'cheap',
      members: [
        { email: 'ada@example.com', role: 'admin' },
        { email: 'bob@example.com', monthly_budget: 5, rate_limit: 30 },
      ],
    },
  ],
  keys: [
    {
      name: 'ci',
      group: 'research',
      monthly_limit: 10,
      labels: { env: 'ci' },
      priority: 'low',
      share: 2,
      expires_at: '2999-01-01T01:00:00+01:00',
    },
    { name: 'bob', member: 'bob@example.com', access_list: 'cheap', permissions: { manage: 'read' } },
  ],
  guardrails: [{ name: 'no cards', detectors: ['card'], action: 'mask', group: 'research' }],
  limits: [
    { name: 'month of ci', scope: 'key', key: 'ci', measure: 'usd', window: 'month', amount: 7.5 },
    { name: 'bob a day', scope: 'member', member: 'bob@example.com', measure: 'requests', window: 'day', amount: 100 },
  ],
  alerts: [
    { name: 'low balance', scope: 'balance', amount: 5, url: 'https://example.com/hook' },
    {
      name: 'ci is used up',
      scope: 'limit',
      limit: 'month of ci',
      percentage: 80,
      channel: 'slack',
      url: { value: 'https://hooks.example.com/T1/secret-part' },
    },
    { name: 'research', scope: 'group', group: 'research', percentage: 90, channel: 'email', to: ['ops@example.com'], repeat_hours: 24 },
    { name: 'odd hours', scope: 'anomaly', min_amount: 3, url: 'https://example.com/odd' },
  ],
  provider_credentials: [{ provider: 'plain', name: 'main', mode: 'only', api_key: { value: 'sk-configuration-secret-0001' } }],
};

describe('a configuration', () => {
  it('makes everything it lists in one go, with secrets shown once, finds nothing to do the second time, and is exported as it is', async () => {
    const first = await apply(everything);
    expect(stepsOf(first)).toHaveLength(22);
    expect(secretsOf(first).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'key ci',
      'key bob',
      'alert low balance',
      'alert odd hours',
    ]);
    expect(await suite.works(secretsOf(first)[0]?.secret ?? '')).toBe(true);
    expect(first.text).not.toMatch(/secret-part|sk-configuration/);

    const lines = (await suite.changes()).length;
    const second = await apply(everything);
    expect([stepsOf(second), second.json['summary'], secretsOf(second)]).toEqual([[], 'no changes', []]);
    expect((await suite.changes()).length).toBe(lines);
    const exported = await suite.send('GET', `${PATH}?name=platform`);
    expect(exported.text).not.toMatch(/secret-part|sk-configuration|whsec_|weir_test_/);
    expect(stepsOf(await suite.send('POST', `${PATH}/preview?prune=true`, exported.json))).toEqual([]);

    const yaml = await suite.harness.call('GET', `${PATH}?format=yaml&name=platform`, { key: suite.ours.apiKey });
    expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    const again = await suite.harness.call('POST', `${PATH}/preview`, {
      key: suite.ours.apiKey,
      body: yaml.text,
      headers: { 'content-type': 'application/yaml' },
    });
    expect(stepsOf(again)).toEqual([]);
  });

  it('is tried without a trace', async () => {
    const before = await suite.get('/v1/manage/audit');
    const { keys, groups, access_lists, members, settings } = everything;
    const tried = await suite.send('POST', `${PATH}/preview`, { ...head(), settings, members, access_lists, groups, keys });
    expect([stepsOf(tried).length, secretsOf(tried)]).toEqual([11, []]);
    expect(await suite.get('/v1/manage/audit')).toEqual(before);
    expect((await suite.get('/v1/manage/group'))['groups']).toEqual([]);
    expect(await suite.harness.database.prisma.configurationObject.count({ where: { organizationId: suite.ours.id } })).toBe(0);
  });

  it('changes what differs with a line of the audit log each, puts back what was changed by hand, and takes away what it made', async () => {
    await apply(everything);
    const changed = await apply({
      groups: [{ name: 'research', monthly_budget: 50 }],
      keys: [{ name: 'ci', monthly_limit: null, group: null }],
      limits: [{ name: 'month of ci', scope: 'key', key: 'ci', measure: 'usd', window: 'month', amount: '8.25' }],
      alerts: [
        {
          name: 'ci is used up',
          scope: 'limit',
          limit: 'month of ci',
          percentage: 95,
          channel: 'slack',
          url: { value: 'https://hooks.example.com/T1/other' },
        },
      ],
      provider_credentials: [{ provider: 'plain', name: 'main', mode: 'only', api_key: { value: 'sk-configuration-secret-0002' } }],
    });
    expect(stepsOf(changed)).toEqual([
      'update group research',
      'update key ci',
      'update limit month of ci',
      'update alert ci is used up',
      'update provider_credential plain/main',
    ]);
    const [first] = changed.json['steps'] as readonly { changes: unknown }[];
    expect(first?.changes).toEqual([{ field: 'monthly_budget', before: 100, after: 50 }]);
    expect(changed.text).not.toMatch(/T1.other|sk-configuration/);
    const { audit } = await suite.get('/v1/manage/audit?limit=7');
    expect(audit.map(({ action }) => action)).toEqual([
      'apply-configuration',
      'rotate-provider-credential',
      'update-alert',
      'replace-limit',
      'set-api-key-group',
      'set-api-key-limit',
      'set-group-budget',
    ]);

    const group = String((await suite.get('/v1/manage/group'))['groups'][0]?.['id']);
    await suite.send('PATCH', `/v1/manage/group/${group}`, { name: 'renamed', monthly_limit: 1000 });
    expect(stepsOf(await apply({ groups: everything.groups }))).toEqual(['update group research']);
    expect((await suite.get(`/v1/manage/group/${group}`)).group).toMatchObject({ name: 'research', monthly_budget: 100 });

    const empty = Object.fromEntries(Object.keys(everything).map((section) => [section, section === 'settings' ? {} : []]));
    expect(stepsOf(await apply(empty, '?prune=true'))).toHaveLength(17);
    const left = await suite.get(`${PATH}?name=x`);
    expect(Object.keys(left).sort()).toEqual(['apiVersion', 'keys', 'kind', 'members', 'metadata', 'settings']);
  });
});

describe('all of it or nothing', () => {
  it('undoes every step when the last one fails, and says of each what is wrong', async () => {
    const changes = await suite.changes();
    const reply = await apply({
      groups: [{ name: 'research', members: [{ email: 'absent@example.com' }] }],
      keys: [{ name: 'ci', group: 'resaerch' }],
      aliases: [{ name: 'team', model: 'no/model' }],
      provider_credentials: [{ provider: 'plain', api_key: { env: 'A_KEY' } }],
    });
    expect([reply.status, problemsOf(reply)]).toEqual([
      400,
      [{ path: 'provider_credentials.0.api_key', message: expect.stringContaining('weir apply') as string }],
    ]);

    const other = await apply({
      groups: [{ name: 'research', members: [{ email: 'absent@example.com' }] }],
      keys: [
        { name: 'ci', group: 'resaerch' },
        { name: 'fine', group: 'research' },
      ],
      aliases: [{ name: 'team', model: 'no/model' }],
      limits: [{ name: 'of ci', scope: 'key', key: 'ci', measure: 'usd', window: 'month', amount: 1 }],
    });
    expect([other.status, problemsOf(other).map(({ path }) => path)]).toEqual([
      400,
      ['aliases.0.model', 'groups.0.members.0.email', 'keys.0.group'],
    ]);
    expect(other.json.error.message).toContain('`keys.0.group`: key "ci": there is no group "resaerch"');
    expect((await suite.get('/v1/manage/group'))['groups']).toEqual([]);
    expect((await suite.get('/v1/manage/apikey'))['keys']).toHaveLength(1);
    expect(await suite.changes()).toEqual(changes);
  });

  it('keeps the guards of the endpoints: an administrator stays, and what is in use cannot go', async () => {
    const owner = `owner@organization-${suite.ours.id}`;
    const { members } = await suite.get('/v1/manage/org/member');
    const email = String(members[0]?.['user_email'] ?? owner);
    const demoted = await apply({ aliases: [{ name: 'a', model: CHAT_MODEL }], members: [{ email, role: 'member' }] });
    expect([demoted.status, demoted.json.error.message]).toEqual([409, expect.stringContaining('without an administrator')]);
    expect((await suite.send('GET', '/v1/manage/alias/a')).status).toBe(404);

    await apply({ groups: [{ name: 'g' }] });
    await suite.createKey({ group_id: String((await suite.get('/v1/manage/group'))['groups'][0]?.['id']) });
    const pruned = await apply({ groups: [] }, '?prune=true');
    expect([pruned.status, problemsOf(pruned)]).toEqual([
      409,
      [{ path: 'groups', message: expect.stringContaining('The group has 1 API keys') as string }],
    ]);
  });

  it('lets two at once do it once', async () => {
    const sections = { groups: [{ name: 'g', monthly_limit: 5 }], keys: [{ name: 'k', group: 'g' }] };
    const replies = await Promise.all([apply(sections), apply(sections)]);
    expect(replies.map((reply) => stepsOf(reply).length).sort((one, other) => one - other)).toEqual([0, 2]);
  });
});

describe('what belongs to whom', () => {
  it('prunes only what the configuration made, in sections that it has', async () => {
    await suite.make.alias({ name: 'by-hand' });
    await apply({
      aliases: [
        { name: 'first', model: CHAT_MODEL },
        { name: 'by-hand', model: CHAT_MODEL },
      ],
      groups: [{ name: 'kept' }],
    });
    await apply({ aliases: [{ name: 'theirs', model: CHAT_MODEL }] }, '', 'other-team');

    expect(stepsOf(await apply({ aliases: [] }))).toEqual([]);
    await apply({
      aliases: [
        { name: 'first', model: CHAT_MODEL },
        { name: 'by-hand', model: CHAT_MODEL },
      ],
    });
    expect(stepsOf(await apply({ aliases: [{ name: 'second', model: CHAT_MODEL }] }, '?prune=true'))).toEqual([
      'create alias second',
      'delete alias first',
    ]);
    const { aliases } = await suite.get('/v1/manage/alias');
    expect((aliases as readonly { name: string }[]).map(({ name }) => name).sort()).toEqual(['by-hand', 'second', 'theirs']);
    expect((await suite.get('/v1/manage/group'))['groups']).toHaveLength(1);
  });

  it('refuses what another configuration looks after, unless it is taken over', async () => {
    await apply({ aliases: [{ name: 'shared', model: CHAT_MODEL }], settings: { clamp_to_limit: true } }, '', 'first');
    const sections = { aliases: [{ name: 'shared', model: CHAT_MODEL }], settings: { clamp_to_limit: false, strict_access: true } };
    const refused = await apply(sections, '', 'second');
    expect([refused.status, problemsOf(refused).map(({ path }) => path)]).toEqual([409, ['settings.clamp_to_limit', 'aliases.0']]);
    expect(refused.json.error.message).toContain('belongs to the configuration "first"');

    const adopted = await apply(sections, '?adopt=true', 'second');
    expect(stepsOf(adopted)).toEqual(['update setting clamp_to_limit', 'update setting strict_access', 'adopt alias shared']);
    expect(stepsOf(await apply(sections, '?adopt=true', 'second'))).toEqual([]);
    expect((await apply({ aliases: [{ name: 'shared', model: CHAT_MODEL }] }, '', 'first')).status).toBe(409);
  });

  it('asks which one is meant of several that have one name', async () => {
    const [one] = [(await suite.createKey({ name: 'twin' })).id, (await suite.createKey({ name: 'twin' })).id];
    const refused = await apply({ keys: [{ name: 'twin', monthly_limit: 5 }] });
    expect([refused.status, refused.json.error.message]).toEqual([409, expect.stringContaining(`twin #${one?.slice(0, 8) ?? ''}`)]);
    expect(stepsOf(await apply({ keys: [{ name: `twin #${one?.slice(0, 8) ?? ''}`, monthly_limit: 5 }] }))).toHaveLength(1);
    expect((await suite.get(`/v1/manage/apikey/${one ?? ''}`)).key).toMatchObject({ monthly_limit: 5 });
  });
});

describe('a document that is not right', () => {
  it('learns everything at once, with where it stands and what to do', async () => {
    const reply = await suite.send('PUT', PATH, {
      ...head(),
      catalog: [],
      keys: [
        { name: 'a', monthly_limit: -1 },
        { name: 'b', group_id: 'x' },
      ],
      limits: [{ name: 'l', scope: 'key', measure: 'usd', amount: 1 }],
      provider_credentials: [{ provider: 'plain', api_key: 'sk-in-plain-text' }],
    });
    expect(problemsOf(reply).map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringContaining('catalog: this is about the whole gateway'),
      'keys.1.group_id: there is no such field',
      'keys.0.monthly_limit: must be at least 0',
      expect.stringContaining('limits.0.window: '),
      expect.stringContaining('a secret does not stand in the document'),
    ]);
    expect(reply.text).not.toContain('sk-in-plain-text');
  });

  it.each([
    ['no YAML', 'a: [', 'invalid_json'],
    ['two documents', `${stringify(head())}---\n${stringify(head())}`, 'invalid_request'],
    ['a tag', 'a: !!js/function "x"', 'invalid_json'],
    [
      'a bomb',
      `a: &a [1,1,1,1,1,1,1,1]\n${Array.from(
        { length: 20 },
        (_, at) =>
          `k${at}: &x${at} [${Array(9)
            .fill(at === 0 ? '*a' : `*x${at - 1}`)
            .join(',')}]`,
      ).join('\n')}`,
      'invalid_json',
    ],
    ['text', 'hello', 'invalid_request'],
  ])('is refused as %s', async (_, body, code) => {
    const reply = await suite.harness.call('PUT', PATH, { key: suite.ours.apiKey, body, headers: { 'content-type': 'application/yaml' } });
    expect([reply.status, reply.json.error]).toMatchObject([400, { code }]);
  });

  it('is for administrators of the organization, and to change something for keys that may write', async () => {
    const member = await suite.make.member();
    const { secret } = await suite.createKey({ member_id: member, permissions: { manage: 'write' } });
    const { secret: reader } = await suite.createKey({ permissions: { manage: 'read' } });
    const status = async (method: string, path: string, key: string) =>
      (await suite.harness.call(method, path, { key, ...(method === 'GET' ? {} : { body: head() }) })).status;
    expect(await Promise.all([status('PUT', PATH, secret), status('GET', PATH, secret), status('PUT', PATH, reader)])).toEqual([
      403, 403, 403,
    ]);
    expect(await Promise.all([status('GET', PATH, reader), status('POST', `${PATH}/preview`, reader)])).toEqual([200, 200]);
  });
});
