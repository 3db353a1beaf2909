import { createOrganizationRules } from '@weir/database';
import { CHAT_MODEL } from './__fixtures__/maker';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();
const policyOf = (...models: unknown[]) => ({ strategy: 'fallback', models });
const rulesOf = (organizationId: string) => createOrganizationRules(suite.harness.database.pool).findRules(organizationId);

describe('rules', () => {
  it('are read by the edge as they are in force, with what was left out filled in', async () => {
    const policy = await suite.make.policy({ strategy: 'weighted', models: [CHAT_MODEL, { model: CHAT_MODEL, weight: 3 }] });
    const alias = await suite.make.alias({ model: `policy/${policy}` });
    const guardrail = await suite.make.guardrail({ detectors: ['card', { name: 'badge', pattern: 'EMP-\\d+' }], action: 'block' });
    await createElsewhere();

    const rules = await rulesOf(suite.ours.id);

    expect(rules).toEqual({
      policies: [
        {
          id: expect.any(String) as string,
          name: policy,
          version: 1,
          document: {
            strategy: 'weighted',
            models: [
              { model: CHAT_MODEL, weight: 1, retries: 0 },
              { model: CHAT_MODEL, weight: 3, retries: 0 },
            ],
          },
        },
      ],
      aliases: [{ id: expect.any(String) as string, name: alias, version: 1, document: { model: `policy/${policy}` } }],
      guardrails: [
        expect.objectContaining({
          id: guardrail,
          document: {
            detectors: ['card', { name: 'badge', pattern: 'EMP-\\d+' }],
            action: 'block',
            stage: 'both',
            on_error: 'closed',
          },
        }),
      ],
      limits: [],
      credentials: [],
    });
  });

  it('hold for the key and the group they name, in whatever letters their ids were written', async () => {
    const [key, group] = [await suite.make.key(), await suite.make.group()];
    await suite.make.guardrail({ api_key_id: key.toUpperCase() });
    await suite.make.guardrail({ group_id: group.toUpperCase() });

    const { guardrails } = await rulesOf(suite.ours.id);
    expect(guardrails.map(({ document }) => document)).toEqual(
      expect.arrayContaining([expect.objectContaining({ api_key_id: key }), expect.objectContaining({ group_id: group })]),
    );
    const alert = { scope: 'key', api_key_id: key.toUpperCase(), percentage: 80, url: 'https://example.com/hook' };
    expect((await suite.send('POST', '/v1/manage/alert', alert)).status).toBe(201);
    expect((await suite.harness.database.prisma.alert.findFirstOrThrow({ where: { organizationId: suite.ours.id } })).scopeId).toBe(key);
  });

  async function createElsewhere(): Promise<void> {
    const { apiKey } = await suite.seedOther();
    await suite.harness.call('POST', '/v1/manage/policy', { key: apiKey, body: { name: 'elsewhere', ...policyOf(CHAT_MODEL) } });
  }

  it('keep every version for ever, also of what was replaced or deleted, and name each change in both logs', async () => {
    const name = await suite.make.policy();
    const id = (await rulesOf(suite.ours.id)).policies[0]?.id;
    await suite.send('PUT', `/v1/manage/policy/${name}`, { ...policyOf(CHAT_MODEL), sticky_by: 'trace_id' });
    await suite.send('DELETE', `/v1/manage/policy/${name}`);
    await suite.send('POST', '/v1/manage/policy', { name, ...policyOf(CHAT_MODEL) });

    const versions = await suite.harness.database.prisma.organizationRuleVersion.findMany({
      where: { organizationId: suite.ours.id },
      orderBy: [{ createdAt: 'asc' }, { version: 'asc' }],
    });
    const [again] = (await rulesOf(suite.ours.id)).policies;
    expect(versions.map(({ ruleId, version }) => `${ruleId} ${version}`)).toEqual([`${id} 1`, `${id} 2`, `${again?.id} 1`]);
    expect(versions[1]?.document).toMatchObject({ sticky_by: 'trace_id' });
    expect((await suite.changes()).filter((line) => line.startsWith('policy'))).toEqual([
      ...Array.from({ length: 3 }, () => `policy ${id}`),
      `policy ${again?.id}`,
    ]);
    expect((await suite.get('/v1/manage/audit'))['audit'].slice(0, 3)).toMatchObject([
      { action: 'create-policy', target: { kind: 'policy', id: `policy/${name}` }, before: null, after: { version: 1 } },
      { action: 'delete-policy', before: { version: 2 }, after: null },
      { action: 'replace-policy', before: { version: 1 }, after: { version: 2, sticky_by: 'trace_id' } },
    ]);
    await expect(
      suite.harness.database.pool.query('update organization_rule_version set version = 9 where rule_id = $1', [id]),
    ).rejects.toThrow('never changed');
  });

  it('never hold one another in a circle, also when two changes that would make one come at once', async () => {
    const [one, two, three] = [await suite.make.policy(), await suite.make.policy(), await suite.make.policy()];
    const hold = (name: string, inner: string) => suite.send('PUT', `/v1/manage/policy/${name}`, policyOf(CHAT_MODEL, `policy/${inner}`));
    expect((await hold(one, two)).status).toBe(200);
    expect((await hold(two, three)).status).toBe(200);

    const circle = await hold(three, one);
    expect([circle.status, circle.json['error'].message]).toEqual([400, expect.stringContaining(`${three} → ${one} → ${two} → ${three}`)]);
    expect((await hold(one, one)).status).toBe(400);

    const [left, right] = [await suite.make.policy(), await suite.make.policy()];
    const both = await Promise.all([hold(left, right), hold(right, left)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('nest eight levels deep and no deeper, from whichever end they grow', async () => {
    let inner = await suite.make.policy();
    const innermost = inner;
    for (let depth = 2; depth <= 8; depth += 1) inner = await suite.make.policy({ models: [`policy/${inner}`] });

    expect((await suite.send('POST', '/v1/manage/policy', { name: 'deeper', ...policyOf(`policy/${inner}`) })).status).toBe(400);
    const beneath = await suite.make.policy();
    expect((await suite.send('PUT', `/v1/manage/policy/${innermost}`, policyOf(`policy/${beneath}`))).status).toBe(400);
  });

  it('may name the policies that every organization has, as requests may', async () => {
    expect((await suite.send('POST', '/v1/manage/alias', { name: 'best', model: 'policy/weir-smart' })).status).toBe(201);
    const nested = { name: 'mine', ...policyOf('policy/weir-fast', CHAT_MODEL) };
    expect((await suite.send('POST', '/v1/manage/policy', nested)).status).toBe(201);
    const unknown = await suite.send('POST', '/v1/manage/alias', { name: 'other', model: 'policy/weir-none' });
    expect([unknown.status, unknown.json['error'].message]).toEqual([400, expect.stringContaining('`model`')]);
  });

  it('let an alias have a slash in its name, and reach it by the escaped path', async () => {
    expect((await suite.send('POST', '/v1/manage/alias', { name: 'team/fast', model: CHAT_MODEL })).json['id']).toBe('team/fast');
    expect((await suite.get('/v1/manage/alias/team%2Ffast'))['alias']).toMatchObject({ id: 'team/fast', model: CHAT_MODEL });
    expect((await suite.send('DELETE', '/v1/manage/alias/team%2Ffast')).status).toBe(204);
  });
});
