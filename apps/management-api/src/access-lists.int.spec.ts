import { createModelGuard, digestApiKey, type Principal } from '@weir/access';
import { createKeyDirectory } from '@weir/database';
import { createBuiltInCatalog, createPatternMatcher } from '@weir/model-catalog';
import { PEPPER } from './__fixtures__/start-management';
import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();
const catalog = createBuiltInCatalog();
const sandboxChat = catalog
  .list('chat')
  .map(({ id }) => id)
  .filter((id) => id.startsWith('sandbox/'));

async function createList(body: object): Promise<{ id: string; secret: string }> {
  const { json } = await suite.send('POST', '/v1/manage/access-list', { name: 'list', ...body });
  const id = String(json['id']);
  return { id, secret: (await suite.createKey({ access_list_id: id })).secret };
}

/** What the edge decides for a key at this moment: its record is read anew, then guarded as every request is. */
async function allowed(secret: string, ids: readonly string[], modality: 'chat' | 'embedding' = 'chat'): Promise<string[]> {
  const key = await createKeyDirectory(suite.harness.database.pool).findByDigest(digestApiKey(secret, PEPPER));
  const guard = createModelGuard(createPatternMatcher);
  return ids.filter((id) => guard.isAllowed({ key } as Principal, { modality, id }));
}

const LATER = 'sandbox/not-there-yet';

describe('auto_approve', () => {
  it('false: a pattern stands for the models of the day it was written, and for none that come later', async () => {
    const { id, secret } = await createList({ chat: ['sandbox/*'] });

    expect(sandboxChat.length).toBeGreaterThan(1);
    expect(await allowed(secret, [...sandboxChat, LATER, 'openai/gpt-4o'])).toEqual(sandboxChat);
    expect((await suite.get(`/v1/manage/access-list/${id}`))['access_list']).toMatchObject({ auto_approve: false, chat: ['sandbox/*'] });
  });

  it('true: a model that comes later and matches is let in', async () => {
    const { secret } = await createList({ chat: ['sandbox/*'], auto_approve: true });

    expect(await allowed(secret, [...sandboxChat, LATER, 'openai/gpt-4o'])).toEqual([...sandboxChat, LATER]);
  });

  it('false: an id that is written out is let in whenever it comes, in its modality alone', async () => {
    const { secret } = await createList({ chat: [LATER, '*/no-such-thing-*'] });

    expect(await allowed(secret, [LATER, 'x/no-such-thing-1', ...sandboxChat])).toEqual([LATER]);
    expect(await allowed(secret, [LATER], 'embedding')).toEqual([]);
  });

  it('freezes the whole list when it is taken away and thaws it when it is given, whatever else changes', async () => {
    const { id, secret } = await createList({ chat: ['sandbox/*'], embedding: ['sandbox/*'], auto_approve: true });
    const patch = (body: object) => suite.send('PATCH', `/v1/manage/access-list/${id}`, body);

    await patch({ auto_approve: false, name: 'frozen' });
    expect([await allowed(secret, [LATER]), await allowed(secret, [LATER], 'embedding')]).toEqual([[], []]);
    await patch({ embedding: ['sandbox/emb*'] });
    expect([await allowed(secret, sandboxChat), await allowed(secret, ['sandbox/embed-later'], 'embedding')]).toEqual([sandboxChat, []]);
    await patch({ auto_approve: true });
    expect([await allowed(secret, [LATER]), await allowed(secret, ['sandbox/embed-later'], 'embedding')]).toEqual([
      [LATER],
      ['sandbox/embed-later'],
    ]);
  });

  it('keeps each model once, however many patterns name it', async () => {
    const { id, secret } = await createList({ chat: ['sandbox/*', '*', '*/*', 'sandbox/chat*'] });
    const all = catalog.list('chat').map((record) => record.id);

    expect(await allowed(secret, all)).toEqual(all);
    const { rows } = await suite.harness.database.pool.query<{ kept: string }>(
      'select sum(jsonb_array_length(matched))::text as kept from access_list_entry where list_id = $1',
      [id],
    );
    expect(Number(rows[0]?.kept)).toBe(all.length);
  });
});

it('a key may use what its organization, its group and its own list all let in', async () => {
  await suite.send('PATCH', '/v1/manage/org', { approved_models: { chat: ['sandbox/*', 'openai/*'] } });
  const group = await suite.make.group();
  const groups = await suite.send('POST', '/v1/manage/access-list', { name: 'of the group', chat: ['*/chat', 'openai/gpt-4o'] });
  await suite.send('POST', `/v1/manage/group/${group}/access-list`, { access_list_id: groups.json['id'] });
  const { json } = await suite.send('POST', '/v1/manage/access-list', { name: 'of the key', chat: ['sandbox/*', 'anthropic/*'] });
  const { secret } = await suite.createKey({ group_id: group, access_list_id: json['id'] });

  expect(await allowed(secret, [...sandboxChat, 'openai/gpt-4o', 'anthropic/chat'])).toEqual(['sandbox/chat']);
});

describe('entries beside models', () => {
  const NONE_SUCH = ['sandbox/caht', 'sandbox/embedding'];

  it('that allow nothing are in `warnings` with the reason, when a list is made and when it is changed', async () => {
    const made = await suite.send('POST', '/v1/manage/access-list', {
      name: 'list',
      chat: [...NONE_SUCH, 'sandbox/chat', 'policy/weir-fast'],
    });
    const warnings = made.json['warnings'] as { modality: string; entry: string; message: string }[];
    const patch = (body: object) => suite.send('PATCH', `/v1/manage/access-list/${String(made.json['id'])}`, body);

    expect(warnings.map(({ modality, entry }) => [modality, entry])).toEqual(NONE_SUCH.map((entry) => ['chat', entry]));
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('Did you mean "sandbox/chat"'),
      expect.stringContaining('is for embedding'),
    ]);
    expect((await patch({ image: ['sandbox/chat'] })).json).toMatchObject({
      access_list: { image: ['sandbox/chat'] },
      warnings: [{ modality: 'image', entry: 'sandbox/chat' }],
    });
    expect((await patch({ chat: ['sandbox/chat'] })).json).not.toHaveProperty('warnings');
  });

  it('name the policies and aliases of this organization, and policies that come later only with auto_approve', async () => {
    const names = ['policy/of-the-list', 'alias-of-the-list'];
    await suite.send('POST', '/v1/manage/policy', { name: 'of-the-list', strategy: 'fallback', models: ['sandbox/chat'] });
    await suite.send('POST', '/v1/manage/alias', { name: 'alias-of-the-list', model: 'sandbox/chat' });
    const frozen = await suite.send('POST', '/v1/manage/access-list', { name: 'list', chat: [...names, 'policy/of-*'] });
    const reach = async (chat: readonly string[], isAutoApprove: boolean, name: string): Promise<boolean> => {
      const { secret } = await createList({ chat, auto_approve: isAutoApprove });
      const key = await createKeyDirectory(suite.harness.database.pool).findByDigest(digestApiKey(secret, PEPPER));
      return createModelGuard(createPatternMatcher).isAllowed({ key } as Principal, { modality: 'chat', id: 'openai/gpt-4o' }, [name]);
    };

    expect(frozen.json).not.toHaveProperty('warnings');
    expect(await Promise.all(names.map((name) => reach([name], false, name)))).toEqual([true, true]);
    expect([await reach(['policy/of-*'], false, 'policy/of-the-list'), await reach(['policy/of-*'], false, 'policy/of-later')]).toEqual([
      ...[true, false],
    ]);
    expect(await reach(['policy/of-*'], true, 'policy/of-later')).toBe(true);
  });
});
