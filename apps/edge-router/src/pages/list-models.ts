import { checkPermission, readCredential, type Authenticator, type ModelGuard, type Principal } from '@weir/access';
import type { EndpointRow, Modality } from '@weir/contracts';
import { encodeModelRecord, type ModelCatalog, type ModelRecord } from '@weir/model-catalog';
import type { RequestHandler } from 'express';
import { listNamedRoutes, NO_NAMED_ROUTES, type NamedRoutesParts } from './list-named-routes';
import type { ReachModels } from './reach-models';

export type ListModelsParts = Pick<NamedRoutesParts, 'rules' | 'managed'> & {
  readonly authenticator: Authenticator;
  readonly guard: ModelGuard;
  readonly catalog: ModelCatalog;
  /** Whether the gateway has an adapter for this provider at all. */
  readonly isKnown: (providerId: string) => boolean;
  readonly reach: ReachModels;
};

/** Which modality each list shows; undefined shows all. */
const MODALITY_OF: Readonly<Record<string, Modality | undefined>> = {
  models: 'chat',
  'models-chat': 'chat',
  'models-embedding': 'embedding',
  'models-image': 'image',
  'models-transcription': 'transcription',
  'models-speech': 'speech',
};

/**
 * A model list. Without a key: every public model. With one: exactly what inference would accept from it, so its access
 * lists apply and models whose provider is not set up here are left out; among those for chat, aliases and policies too.
 */
export function createListModels(endpoint: EndpointRow, parts: ListModelsParts): RequestHandler {
  const modality = MODALITY_OF[endpoint.id];
  return async (request, response) => {
    const principal = await findCaller(request.headers, endpoint, parts.authenticator);
    const isShown = await planList(principal, parts);
    const isOfChat = modality === undefined || modality === 'chat';
    const named = principal === undefined ? NO_NAMED_ROUTES : await listNamedRoutes(principal, isShown, parts);
    const shown = parts.catalog.list(modality).filter((record) => !named.isGiven(record.id) && isShown(record));
    const records = [...shown.map((record) => encodeModelRecord(record)), ...(isOfChat ? named.records.values() : [])];
    response.type('application/json').send(`{"object":"list","data":[${records.join(',')}]}`);
  };
}

/** One model, by its id: what SDKs call `models.retrieve`. */
export function createReadModel(endpoint: EndpointRow, parts: ListModelsParts, notFound: (id: string) => Error): RequestHandler {
  return async (request, response) => {
    const principal = await findCaller(request.headers, endpoint, parts.authenticator);
    const id = decodeURIComponent(request.path.slice('/v1/models/'.length).replace(/\/$/, ''));
    const record = parts.catalog.find(id);
    const isShown = await planList(principal, parts);
    const named = principal === undefined ? NO_NAMED_ROUTES : await listNamedRoutes(principal, isShown, parts);
    const model = record === undefined || named.isGiven(id) || !isShown(record) ? undefined : encodeModelRecord(record);
    const told = named.records.get(id) ?? model;
    if (told === undefined) throw notFound(id);
    response.type('application/json').send(told);
  };
}

/** Whose key a list is asked with; undefined without one. */
export async function findCaller(
  headers: Parameters<typeof readCredential>[0],
  endpoint: EndpointRow,
  authenticator: Authenticator,
): Promise<Principal | undefined> {
  const credential = readCredential(headers, endpoint.preferredCredential);
  if (credential === undefined) return undefined;
  const principal = await authenticator.authenticate(credential);
  checkPermission(principal, { kind: 'completions', level: 'read' });
  return principal;
}

/** Without a key, everything that the gateway has an adapter for; with one, what inference would take from it. */
export async function planList(principal: Principal | undefined, parts: ListModelsParts): Promise<(record: ModelRecord) => boolean> {
  if (principal === undefined) return (record) => parts.isKnown(record.provider);
  const isReached = await parts.reach(principal);
  return (record) => isReached(record) && parts.guard.isAllowed(principal, record.modality, record.id);
}
