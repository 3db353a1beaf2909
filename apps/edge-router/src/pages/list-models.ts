import { checkPermission, readCredential, type Authenticator, type ModelGuard, type Principal } from '@weir/access';
import type { EndpointRow, Modality } from '@weir/contracts';
import { encodeModelList, encodeModelRecord, type ModelCatalog, type ModelRecord } from '@weir/model-catalog';
import type { RequestHandler } from 'express';

export type ListModelsParts = {
  readonly authenticator: Authenticator;
  readonly guard: ModelGuard;
  readonly catalog: ModelCatalog;
  /** Whether the gateway has an adapter for this provider at all. */
  readonly isKnown: (providerId: string) => boolean;
  readonly isRoutable: (providerId: string, modality: Modality) => boolean;
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
 * lists apply and models whose provider is not set up here are left out.
 */
export function createListModels(endpoint: EndpointRow, parts: ListModelsParts): RequestHandler {
  const modality = MODALITY_OF[endpoint.id];
  return async (request, response) => {
    const principal = await findCaller(request.headers, endpoint, parts.authenticator);
    const shown = parts.catalog.list(modality).filter((record) => isShown(record, principal, parts));
    response.type('application/json').send(encodeModelList(shown));
  };
}

/** One model, by its id: what SDKs call `models.retrieve`. */
export function createReadModel(endpoint: EndpointRow, parts: ListModelsParts, notFound: (id: string) => Error): RequestHandler {
  return async (request, response) => {
    const principal = await findCaller(request.headers, endpoint, parts.authenticator);
    const id = decodeURIComponent(request.path.slice('/v1/models/'.length));
    const record = parts.catalog.find(id);
    if (record === undefined || !isShown(record, principal, parts)) throw notFound(id);
    response.type('application/json').send(encodeModelRecord(record));
  };
}

async function findCaller(
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

function isShown(record: ModelRecord, principal: Principal | undefined, parts: ListModelsParts): boolean {
  if (principal === undefined) return parts.isKnown(record.provider);
  return parts.isRoutable(record.provider, record.modality) && parts.guard.isAllowed(principal, record.modality, record.id);
}
