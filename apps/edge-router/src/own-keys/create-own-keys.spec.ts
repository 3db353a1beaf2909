import type { OrganizationRules, SealedCredential } from '@weir/access';
import { createProviderAccounts } from '@weir/providers';
import { createKeyRing, createTransitSealer, createVault, type WrappedDataKey } from '@weir/sealing';
import { createOwnKeys } from './create-own-keys';

const ORGANIZATION = '00000000-0000-4000-8000-000000000001';
const SECRET = 'a shared secret of thirty-two or more characters';
const NO_RULES = { policies: [], aliases: [], guardrails: [], limits: [] };
const rulesOf = (...credentials: SealedCredential[]): OrganizationRules => ({ ...NO_RULES, credentials });

function harness(keysMax?: number) {
  const rows = new Map<string, WrappedDataKey>();
  const vault = createVault({
    keyRing: createKeyRing('a key-encryption key of 32 or more characters'),
    store: {
      ensureActive: (_, offer) => {
        const key = rows.values().next().value ?? offer();
        rows.set(key.id, key);
        return Promise.resolve(key);
      },
      find: (_, id) => Promise.resolve(rows.get(id)),
    },
  });
  let opened = 0;
  const counting = {
    open: (...args: Parameters<typeof vault.open>) => {
      opened += 1;
      return vault.open(...args);
    },
  };
  const accounts = createProviderAccounts({ transport: () => Promise.reject(new Error('no provider is called here')) });
  const seal = createTransitSealer(SECRET);
  const store = async (id: string, version: number, fields: object, more: Partial<SealedCredential> = {}): Promise<SealedCredential> => {
    const sealed = await vault.seal(JSON.stringify(fields), { organizationId: ORGANIZATION, recordId: id, version });
    return { id, name: `key ${id}`, provider: 'openai', mode: 'prefer', version, ...sealed, ...more };
  };
  return {
    keys: createOwnKeys({ vault: counting, accounts, seal, ...(keysMax === undefined ? {} : { keysMax }) }),
    accounts,
    seal,
    store,
    opened: () => opened,
  };
}

describe('own provider keys', () => {
  it('come sealed for the worker, in order, with what their provider serves; opened once for each version', async () => {
    const { keys, seal, store, opened } = harness();
    const first = await store('one', 1, { api_key: 'sk-first' });
    const second = await store('two', 1, { api_key: 'sk-other' }, { provider: 'anthropic', mode: 'only' });

    const found = await keys.find(ORGANIZATION, rulesOf(first, second));
    expect(found.map(({ id, providerId, mode }) => [id, providerId, mode])).toEqual([
      ['one', 'openai', 'prefer'],
      ['two', 'anthropic', 'only'],
    ]);
    expect(found.map(({ modalities }) => modalities.includes('embedding'))).toEqual([true, false]);
    expect(JSON.parse(seal.open(found[0]?.credential ?? '', 'openai'))).toEqual({ api_key: 'sk-first' });
    expect(JSON.stringify(found.map((key) => ({ ...key, credential: '' })))).not.toContain('sk-');
    expect(found.map(({ credential }) => credential).join()).not.toMatch(/sk-(?:first|other)/);
    expect(() => seal.open(found[0]?.credential ?? '', 'anthropic')).toThrow();

    expect(keys.find(ORGANIZATION, rulesOf(first, second))).toEqual(found);
    expect(opened()).toBe(2);
    const [rotated] = await keys.find(ORGANIZATION, rulesOf(await store('one', 2, { api_key: 'sk-rotated' })));
    expect(JSON.parse(seal.open(rotated?.credential ?? '', 'openai'))).toEqual({ api_key: 'sk-rotated' });
  });

  it('are evicted only for new ones, the oldest first', async () => {
    const { keys, store, opened } = harness(2);
    const [first, second, third] = [await store('one', 1, {}), await store('two', 1, {}), await store('three', 1, {})];
    await keys.find(ORGANIZATION, rulesOf(first));

    await Promise.all([keys.find(ORGANIZATION, rulesOf(first, second)), keys.find(ORGANIZATION, rulesOf(first, second))]);
    expect(Array.isArray(keys.find(ORGANIZATION, rulesOf(first, second)))).toBe(true);

    await keys.find(ORGANIZATION, rulesOf(second, third));
    const openedBefore = opened();
    await keys.find(ORGANIZATION, rulesOf(first));
    expect(opened()).toBe(openedBefore + 1);
  });

  it('of no one are nothing to wait for', () => {
    expect(harness().keys.find(ORGANIZATION, rulesOf())).toEqual([]);
  });

  it('that cannot be opened refuse the request, because going on without them costs money', async () => {
    const { keys, store, accounts, seal } = harness();
    const moved = { ...(await store('one', 1, { api_key: 'sk-first' })), id: 'another' };

    await expect(keys.find(ORGANIZATION, rulesOf(moved))).rejects.toMatchObject({ code: 'dependency_down' });
    const blind = createOwnKeys({ vault: null, accounts, seal });
    await expect(blind.find(ORGANIZATION, rulesOf(moved))).rejects.toMatchObject({
      code: 'dependency_down',
      cause: expect.any(Error) as Error,
    });
  });
});
