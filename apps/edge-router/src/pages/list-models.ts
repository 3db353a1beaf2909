import type { EndpointRow, Modality } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { encodeModelRecord, type ModelCatalog, type ModelRecord } from '@weir/model-catalog';
import { planAttempts } from '@weir/routing';
import type { RequestHandler } from 'express';
import { encodePage, encodePagedRecord, wantsPages, VERSION_HEADER } from './encode-page';
import { listNamedRoutes, type NamedRoutes, type NamedRoutesParts } from './list-named-routes';
import { planList, type ListPlan, type ListPlanParts } from './plan-list';

export type ListModelsParts = ListPlanParts & Pick<NamedRoutesParts, 'managed'> & { readonly catalog: ModelCatalog };

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
 * A model list. Without a key: what this gateway can route. With one: exactly what inference would accept from it, so its
 * access lists apply; among those for chat, aliases and policies too. `?all=true` adds the models whose provider is not set
 * up here. Clients of the dialect whose lists have pages get pages.
 */
export function createListModels(endpoint: EndpointRow, parts: ListModelsParts): RequestHandler {
  const modality = MODALITY_OF[endpoint.id];
  return async (request, response) => {
    const plan = await planList(request, endpoint, parts);
    const named = listNamedRoutes(plan, parts);
    const isOfChat = modality === undefined || modality === 'chat';
    const shown = parts.catalog.list(modality).filter((record) => !named.isGiven(record.id) && plan.isListed(record));
    const records = [...shown.map((record) => encodeModelRecord(record)), ...(isOfChat ? named.records.values() : [])];
    const text = wantsPages(request.headers) ? encodePage(records, request.query) : `{"object":"list","data":[${records.join(',')}]}`;
    response.vary(VERSION_HEADER).type('application/json').send(text);
  };
}

/** One model, by its id or by the name that its vendor gives it: what SDKs call `models.retrieve`. */
export function createReadModel(endpoint: EndpointRow, parts: ListModelsParts): RequestHandler {
  return async (request, response) => {
    const plan = await planList(request, endpoint, parts);
    const named = listNamedRoutes(plan, parts);
    const record = findRecord(readId(request.path), { plan, named }, parts);
    const text = wantsPages(request.headers) ? encodePagedRecord(record) : record;
    response.vary(VERSION_HEADER).type('application/json').send(text);
  };
}

function readId(path: string): string {
  try {
    return decodeURIComponent(path.slice('/v1/models/'.length).replace(/\/$/, ''));
  } catch (cause) {
    throw new GatewayError('invalid_request', 'The id of the model in the address is not encoded correctly.', { cause });
  }
}

type Found = { readonly plan: ListPlan; readonly named: NamedRoutes };

function findRecord(id: string, { plan, named }: Found, { catalog }: ListModelsParts): string {
  const route = named.records.get(id);
  if (route !== undefined) return route;
  const record = named.isGiven(id) ? undefined : catalog.find(id);
  return encodeModelRecord(record !== undefined && plan.isListed(record) ? record : resolve(id, { plan, named }, catalog));
}

/** What inference would take this name for. Throws `model_not_found` with the reasons of inference. */
function resolve(id: string, { plan }: Found, catalog: ModelCatalog): ModelRecord {
  const { map, routes } = plan.reach;
  const modality = (catalog.find(id) ?? catalog.findBare(id).exact[0])?.modality ?? 'chat';
  try {
    const { record, requested } = planAttempts(id, modality, { ...map, ask: { routes, checkRecord: createCheck(plan) } });
    if (record.id === requested) return record;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // What a key may not use is not there for it; a name of several models is the caller's to make plain.
    throw error.code === 'invalid_request' ? error : new GatewayError('model_not_found', error.message, { field: 'model' });
  }
  throw new GatewayError('model_not_found', `The model "${id.slice(0, 200)}" is not known here.`, { field: 'model' });
}

function createCheck({ isShown }: ListPlan) {
  return (record: ModelRecord, names: readonly string[]): GatewayError | undefined =>
    isShown(record, names) ? undefined : new GatewayError('model_not_found', `The model "${record.id}" is not known to this API key.`);
}
