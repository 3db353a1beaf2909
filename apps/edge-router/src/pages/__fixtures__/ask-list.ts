import { createAuthenticator, createKeyCache, createModelGuard, type KeyRecord, type ModelPatterns } from '@weir/access';
import { getEndpoint, type PolicyDocument } from '@weir/contracts';
import { createBuiltInCatalog, createPatternMatcher, type ModelRecord } from '@weir/model-catalog';
import { NO_ROUTES, type OrganizationRoutes, type RoutingMap } from '@weir/routing';
import type { Request, RequestHandler, Response } from 'express';
import { createListModels, createReadModel, type ListModelsParts } from '../list-models';
import { createListPolicies } from '../list-policies';

export const catalog = createBuiltInCatalog();
const KEY = 'a key of twenty characters or more';
const NO_MODELS: ModelPatterns = { chat: [], embedding: [], image: [], transcription: [], speech: [] };

export type Setting = {
  /** Providers that this gateway has an account with. */
  readonly providers?: readonly string[];
  /** Those of the organization. */
  readonly ownProviders?: readonly string[];
  readonly routes?: OrganizationRoutes;
  readonly managed?: readonly string[];
  readonly chat?: readonly string[];
  readonly completions?: 'none' | 'read' | 'write';
  readonly mayHaveData?: (record: ModelRecord) => boolean;
};

export type Ask = {
  readonly path: string;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly withKey?: boolean;
};

export function step(model: string): PolicyDocument['models'][number] {
  return { model, weight: 1, retries: 0 };
}

function openParts(setting: Setting): ListModelsParts {
  const { providers = ['sandbox'], ownProviders = [], routes = NO_ROUTES, managed = [], chat } = setting;
  const record = {
    ...{ status: 'active', expiresAtMs: null, organization: { approvedModels: null }, groupAccessList: null },
    permissions: { manage: 'none', completions: setting.completions ?? 'write' },
    keyAccessList: chat === undefined ? null : { ...NO_MODELS, chat },
  } as unknown as KeyRecord;
  const cache = createKeyCache({ directory: { findByDigest: () => Promise.resolve(record) }, now: () => 0 });
  const built = managed.map((name) => ({
    name,
    description: name,
    document: { strategy: 'fallback' as const, models: [step('openai/gpt-4o'), step('sandbox/chat')] },
  }));
  const map: RoutingMap = {
    catalog,
    isRoutable: (id) => providers.includes(id),
    settingsOf: (id) => `${id.toUpperCase()}_API_KEY`,
    managed: new Map(built.map(({ name, document }) => [name, document])),
  };
  const widened: RoutingMap = { ...map, isRoutable: (id) => [...providers, ...ownProviders].includes(id) };
  return {
    authenticator: createAuthenticator({ cache, digest: (key) => Buffer.from(key), now: () => 0 }),
    guard: createModelGuard(createPatternMatcher),
    catalog,
    managed: built,
    reach: (principal) =>
      Promise.resolve(
        principal === undefined
          ? { map, routes: NO_ROUTES, mayHaveData: () => true }
          : { map: widened, routes, mayHaveData: setting.mayHaveData ?? (() => true) },
      ),
  };
}

function findHandler(path: string, parts: ListModelsParts): RequestHandler {
  if (path === '/v1/models') return createListModels(getEndpoint('models'), parts);
  if (path === '/v1/models/all') return createListModels(getEndpoint('models-all'), parts);
  if (path === '/v1/models/managed') return createListPolicies(getEndpoint('models-managed'), parts);
  return createReadModel(getEndpoint('read-model'), parts);
}

/** What a list says, as text. */
export async function askList({ path, query = {}, headers = {}, withKey = true }: Ask, setting: Setting = {}): Promise<string> {
  let sent = '';
  const response = {
    vary: () => response,
    type: () => response,
    send: (text: string) => (sent = text),
    json: (body: unknown) => (sent = JSON.stringify(body)),
  };
  const credential = withKey ? { 'x-api-key': KEY } : {};
  const request = { path, query, headers: { ...credential, ...headers } } as unknown as Request;
  await findHandler(path, openParts(setting))(request, response as unknown as Response, () => undefined);
  return sent;
}
