import {
  createAuthenticator,
  createKeyCache,
  createModelGuard,
  type KeyRecord,
  type ModelPatterns,
  type OrganizationRules,
} from '@weir/access';
import { getEndpoint, MODALITIES } from '@weir/contracts';
import { createBuiltInCatalog, createPatternMatcher } from '@weir/model-catalog';
import { NO_ROUTES, planAttempts, readRoutes } from '@weir/routing';
import type { Request, RequestHandler, Response } from 'express';
import fc from 'fast-check';
import { createListModels, createReadModel, type ListModelsParts } from './list-models';
import type { ReachModels } from './reach-models';

const KEY = 'a key of twenty characters or more';
const catalog = createBuiltInCatalog();
const all = catalog.list();
const guard = createModelGuard(createPatternMatcher);
/** As if every other provider were set up. */
const isRoutable = (providerId: string): boolean => providerId.length % 2 === 0;

const pattern = fc.oneof(
  fc.constantFrom('*', '*/*', 'openai/*', '*-mini', '*/claude-*', 'nothing/at-all'),
  fc.constantFrom(...all).map(({ id }) => id),
  fc.constantFrom(...all).map(({ provider }) => `${provider}/*`),
);
const list = fc.option(fc.record(Object.fromEntries(MODALITIES.map((modality) => [modality, fc.array(pattern, { maxLength: 4 })]))));
const lists = fc.record({ approvedModels: list, groupAccessList: list, keyAccessList: list });

function recordOf(given: Record<'approvedModels' | 'groupAccessList' | 'keyAccessList', unknown>): KeyRecord {
  const { approvedModels, groupAccessList, keyAccessList } = given as Record<keyof typeof given, ModelPatterns | null>;
  const organization = { approvedModels };
  const permissions = { manage: 'none', completions: 'write' };
  return { status: 'active', expiresAtMs: null, permissions, organization, groupAccessList, keyAccessList } as KeyRecord;
}

const NO_RULES: OrganizationRules = { policies: [], aliases: [], guardrails: [], limits: [], credentials: [] };

const settingsOf = (providerId: string): string => `KEY_OF_${providerId}`;

function openParts(record: KeyRecord, rules = NO_RULES, managed: ListModelsParts['managed'] = []): ListModelsParts {
  const cache = createKeyCache({ directory: { findByDigest: () => Promise.resolve(record) }, now: () => 0 });
  const authenticator = createAuthenticator({ cache, digest: (key) => Buffer.from(key), now: () => 0 });
  const policies = new Map(managed.map(({ name, document }) => [name, document]));
  const map = { catalog, isRoutable, settingsOf, managed: policies };
  const reach: ReachModels = (principal) =>
    Promise.resolve({ map, routes: principal === undefined ? NO_ROUTES : readRoutes(rules), mayHaveData: () => true });
  return { authenticator, guard, catalog, reach, managed };
}

type Asked = { headers: Record<string, string>; path?: string; query?: Record<string, string> };

async function answer(handle: RequestHandler, request: Asked): Promise<string> {
  const sent: string[] = [];
  const response = { vary: () => response, type: () => response, send: (text: string) => sent.push(String(text)) };
  await handle({ query: {}, ...request } as unknown as Request, response as unknown as Response, () => undefined);
  return sent[0] ?? '';
}

async function listIds(record: KeyRecord, endpointId: string, headers: Record<string, string>): Promise<string[]> {
  const reported = await answer(createListModels(getEndpoint(endpointId), openParts(record)), { headers });
  return (JSON.parse(reported) as { data: { id: string }[] }).data.map(({ id }) => id);
}

/** What admission decides about a model, by the same two calls. */
function isAdmitted(record: KeyRecord, { id, modality }: (typeof all)[number]): boolean {
  try {
    const plan = planAttempts(id, modality, { catalog, isRoutable });
    guard.check({ key: record }, plan.record);
    return true;
  } catch {
    return false;
  }
}

it('shows a key exactly the models that inference would take from it, whichever header carries it', async () => {
  await fc.assert(
    fc.asyncProperty(lists, async (given) => {
      const record = recordOf(given);
      const admitted = all.filter((model) => isAdmitted(record, model)).map(({ id }) => id);

      expect(await listIds(record, 'models-all', { authorization: `Bearer ${KEY}` })).toEqual(admitted);
      expect(await listIds(record, 'models-all', { 'x-api-key': KEY })).toEqual(admitted);
      for (const modality of MODALITIES) {
        const shown = await listIds(record, `models-${modality}`, { 'x-api-key': KEY });
        expect(shown).toEqual(admitted.filter((id) => catalog.find(id)?.modality === modality));
      }
    }),
    { numRuns: 30 },
  );
});

describe('names that stand for models', () => {
  const chat = all.filter(({ modality, provider }) => modality === 'chat' && isRoutable(provider));
  const [one, other] = [chat.find(({ contextWindow }) => contextWindow !== null), chat.at(-1)] as [(typeof all)[0], (typeof all)[0]];
  const hidden = all.find(({ modality, provider }) => modality === 'chat' && !isRoutable(provider))?.id ?? '';
  const rule = (name: string, document: Record<string, unknown>) => ({ id: name, name, version: 1, document });
  const policy = (name: string, models: readonly string[]) => rule(name, { strategy: 'fallback', models });
  const rules: OrganizationRules = {
    ...NO_RULES,
    aliases: [
      rule('company', { model: one.id }),
      rule('by-policy', { model: 'policy/mine' }),
      rule('lost', { model: hidden }),
      rule(other.id, { model: one.id }),
    ],
    policies: [policy('mine', [hidden, one.id, other.id, 'policy/mine']), policy('useless', [hidden, 'policy/useless'])],
  };
  const managed = ['weir-fast', 'mine'].map((name) => ({
    ...{ name, description: `About ${name}` },
    document: { strategy: 'fallback' as const, models: [{ model: one.id, weight: 1, retries: 0 }] },
  }));
  const parts = (more: object = {}, given = rules): ListModelsParts =>
    openParts(recordOf({ approvedModels: null, groupAccessList: null, keyAccessList: null, ...more }), given, managed);
  const HEADERS = { 'x-api-key': KEY };
  type Shown = { id: string; owned_by: string; context_window: number | null; description: string | null };
  const list = async (endpointId: string, headers: Record<string, string> = HEADERS, more: object = {}): Promise<Shown[]> => {
    const reported = await answer(createListModels(getEndpoint(endpointId), parts(more)), { headers });
    return (JSON.parse(reported) as { data: Shown[] }).data;
  };

  it.each(['models', 'models-chat', 'models-all'])('stand in %s as far as the key can use them, each once', async (endpointId) => {
    const shown = await list(endpointId);
    const ids = shown.map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(-5)).toEqual(['company', 'by-policy', other.id, 'policy/mine', 'policy/weir-fast']);
    expect(shown.find(({ id }) => id === other.id)).toMatchObject({ owned_by: 'organization', description: `Stands for ${one.id}.` });
  });

  it('stand neither in lists of other models, nor in those of no one, nor where the key may not use what they stand for', async () => {
    const named = ({ id }: Shown) => id === 'company' || id.startsWith('policy/');
    expect((await list('models-embedding')).filter(named)).toEqual([]);
    expect((await list('models', {})).filter(named)).toEqual([]);
    const lists = { keyAccessList: { chat: ['nothing/*'], embedding: [], image: [], transcription: [], speech: [] } };
    expect((await list('models', HEADERS, lists)).filter(named)).toEqual([]);
  });

  it('hide the models whose name they have, were they of no use themselves, as requests do', async () => {
    const embedding = all.find(({ modality, provider }) => modality === 'embedding' && isRoutable(provider))?.id ?? '';
    const given = [rule(one.id, { model: hidden }), rule(embedding, { model: other.id })];
    const shadowed = parts({}, { ...NO_RULES, aliases: given });
    const idsOf = async (endpointId: string) => {
      const reported = await answer(createListModels(getEndpoint(endpointId), shadowed), { headers: HEADERS });
      return (JSON.parse(reported) as { data: Shown[] }).data.map(({ id }) => id);
    };
    const read = createReadModel(getEndpoint('read-model'), shadowed);

    expect(await idsOf('models')).not.toContain(one.id);
    expect(await idsOf('models-embedding')).not.toContain(embedding);
    await expect(answer(read, { headers: HEADERS, path: `/v1/models/${one.id}` })).rejects.toMatchObject({ code: 'model_not_found' });
  });

  it('have all members of a record, with what every model behind them can do', async () => {
    const shown = await list('models');
    const [alias, mine, plain] = ['company', 'policy/mine', one.id].map((id) => shown.find((each) => each.id === id));

    expect(Object.keys(alias ?? {}).sort()).toEqual([...new Set([...Object.keys(plain ?? {}), 'description'])].sort());
    expect({ ...alias, id: '', owned_by: '', description: '' }).toEqual({ ...plain, id: '', owned_by: '', description: '' });
    const windows = [one.contextWindow, other.contextWindow].filter((each) => each !== null);
    expect(mine).toMatchObject({ owned_by: 'organization', context_window: Math.min(...windows) });
    expect(one.canonicalName).not.toBe(other.canonicalName);
    expect(mine).not.toHaveProperty('model_canonical_name');
  });

  it('are read one by one, by their own meaning first', async () => {
    const read = createReadModel(getEndpoint('read-model'), parts());
    const get = async (id: string) => JSON.parse(await answer(read, { headers: HEADERS, path: `/v1/models/${id}` })) as Shown;

    expect(await get('policy/mine')).toMatchObject({ id: 'policy/mine', owned_by: 'organization' });
    expect(await get('policy/weir-fast/')).toMatchObject({ id: 'policy/weir-fast', owned_by: 'weir', description: 'About weir-fast' });
    expect(await get(other.id)).toMatchObject({ description: `Stands for ${one.id}.` });
    await expect(get('policy/useless')).rejects.toMatchObject({ code: 'model_not_found' });
    await expect(get('lost')).rejects.toMatchObject({ code: 'model_not_found' });
  });
});
