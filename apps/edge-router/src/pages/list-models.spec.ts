import { createAuthenticator, createKeyCache, createModelGuard, type KeyRecord, type ModelPatterns } from '@weir/access';
import { getEndpoint, MODALITIES } from '@weir/contracts';
import { createBuiltInCatalog, createPatternMatcher } from '@weir/model-catalog';
import { planAttempts } from '@weir/routing';
import type { Request, Response } from 'express';
import fc from 'fast-check';
import { createListModels } from './list-models';

const KEY = 'a key of twenty characters or more';
const catalog = createBuiltInCatalog();
const all = catalog.list();
const guard = createModelGuard(createPatternMatcher);
/** As if every other provider were set up. */
const isRoutable = (providerId: string): boolean => providerId.length % 2 === 0;

const reach = () => Promise.resolve(({ provider }: { provider: string }) => isRoutable(provider));

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

async function listIds(record: KeyRecord, endpointId: string, headers: Record<string, string>): Promise<string[]> {
  const cache = createKeyCache({ directory: { findByDigest: () => Promise.resolve(record) }, now: () => 0 });
  const authenticator = createAuthenticator({ cache, digest: (key) => Buffer.from(key), now: () => 0 });
  const handle = createListModels(getEndpoint(endpointId), { authenticator, guard, catalog, isKnown: () => true, reach });
  const sent: string[] = [];
  const response = { type: () => response, send: (text: string) => sent.push(String(text)) };
  await handle({ headers } as unknown as Request, response as unknown as Response, () => undefined);
  return (JSON.parse(sent[0] ?? '') as { data: { id: string }[] }).data.map(({ id }) => id);
}

/** What admission decides about a model, by the same two calls. */
function isAdmitted(record: KeyRecord, { id, modality }: (typeof all)[number]): boolean {
  try {
    const plan = planAttempts(id, modality, { catalog, isRoutable });
    guard.check({ key: record }, plan.record.modality, plan.record.id);
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
