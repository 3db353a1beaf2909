import type { OrganizationRules } from '@weir/access';
import { createAuthenticator, createKeyCache, createModelGuard, type KeyRecord } from '@weir/access';
import { getEndpoint } from '@weir/contracts';
import { createBuiltInCatalog, createPatternMatcher } from '@weir/model-catalog';
import { readRoutes } from '@weir/routing';
import type { Request, Response } from 'express';
import { createListPolicies } from './list-policies';

const KEY = 'a key of twenty characters or more';
const catalog = createBuiltInCatalog();

async function list(policies: Record<string, readonly string[]>): Promise<Record<string, boolean[]>> {
  const record = {
    ...{ status: 'active', expiresAtMs: null, organization: { approvedModels: null }, groupAccessList: null, keyAccessList: null },
    permissions: { manage: 'none', completions: 'read' },
  } as unknown as KeyRecord;
  const cache = createKeyCache({ directory: { findByDigest: () => Promise.resolve(record) }, now: () => 0 });
  const named = Object.entries(policies).map(([name, models]) => ({
    id: name,
    name,
    version: 1,
    document: { strategy: 'fallback', models },
  }));
  const rules: OrganizationRules = { policies: named, aliases: [], guardrails: [], limits: [], credentials: [] };
  const handle = createListPolicies(getEndpoint('models-managed'), {
    authenticator: createAuthenticator({ cache, digest: (key) => Buffer.from(key), now: () => 0 }),
    guard: createModelGuard(createPatternMatcher),
    catalog,
    reach: () => Promise.resolve({ map: { catalog, isRoutable: () => true }, routes: readRoutes(rules), mayHaveData: () => true }),
    managed: [],
  });
  let shown: { data: { id: string; chain: { available: boolean }[] }[] } = { data: [] };
  const response = { json: (body: typeof shown) => void (shown = body) } as unknown as Response;
  await handle({ headers: { 'x-api-key': KEY }, query: {} } as unknown as Request, response, () => undefined);
  return Object.fromEntries(shown.data.map(({ id, chain }) => [id, chain.map(({ available }) => available)]));
}

describe('GET /v1/models/managed', () => {
  it('marks which members lead to a model', async () => {
    expect(
      await list({ a: ['sandbox/chat', 'gone/model', 'policy/b', 'policy/c', 'policy/none'], b: ['policy/c'], c: ['gone/model'] }),
    ).toEqual({
      'policy/a': [true, false, false, false, false],
      'policy/b': [false],
      'policy/c': [false],
    });
  });

  it('looks at each policy once, however often policies name one another', async () => {
    const named = [1, 2, 3, 4, 5, 6, 7, 8].map((level) => [
      `p${level}`,
      Array<string>(32).fill(level === 8 ? 'gone/model' : `policy/p${level + 1}`),
    ]);
    const shown = await list(Object.fromEntries(named) as Record<string, string[]>);
    expect(shown['policy/p1']).toEqual(Array<boolean>(32).fill(false));
  });
});
