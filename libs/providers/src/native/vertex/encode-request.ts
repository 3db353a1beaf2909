import { createOriginalBody, editBody } from '@weir/canonical';
import type { ChatCodec, ExpressLane } from '../../provider/provider';
import type { ExpressCall, ProviderTarget } from '../../provider/target';
import { codecOf, findSurface, type Surface, type Surfaces } from './surfaces';

export type VertexPlace = {
  readonly project: string;
  /** Where calls go that are not bound to a region. */
  readonly location: string;
  /** Instead of the service's addresses in all locations. */
  readonly baseUrl: string | undefined;
};

const MESSAGES_VERSION = '"vertex-2023-10-16"';
const WITHOUT_MODEL: ReadonlySet<string> = new Set(['model']);
const AREAS: ReadonlySet<string> = new Set(['eu', 'us']);

export function addressOf(location: string): string {
  if (location === 'global') return 'https://aiplatform.googleapis.com/v1';
  return AREAS.has(location) ? `https://aiplatform.${location}.rep.googleapis.com/v1` : `https://${location}-aiplatform.googleapis.com/v1`;
}

export function createEncodeRequest(surfaces: Surfaces, place: VertexPlace): ChatCodec['encodeRequest'] {
  return (request, target, losses) =>
    placeCall(codecOf(surfaces, target).encodeRequest(request, target, losses), { target, place, stream: request.stream });
}

export function createEncodeOriginal(messages: ExpressLane, place: VertexPlace): ExpressLane['encodeOriginal'] {
  return (body, target, stream) => placeCall(messages.encodeOriginal(body, target, stream), { target, place, stream });
}

type Placing = { readonly target: ProviderTarget; readonly place: VertexPlace; readonly stream: boolean };

/** A call for the maker's own service, with the addresses of this one. */
function placeCall<Call extends ExpressCall>(call: Call, { target, place, stream }: Placing): Call {
  const location = target.attempt.region?.toLowerCase() ?? place.location;
  const surface = findSurface(target);
  return {
    ...call,
    baseUrl: place.baseUrl ?? addressOf(location),
    path: `/projects/${place.project}/locations/${location}${pathOf(surface, call, { target, stream })}`,
    body: surface === 'messages' ? toRawPredict(call.body.toString()) : call.body,
  };
}

function pathOf(surface: Surface, call: ExpressCall, { target, stream }: Pick<Placing, 'target' | 'stream'>): string {
  const model = encodeURIComponent(target.attempt.upstreamModel).replaceAll('%40', '@');
  const verb = stream ? 'streamRawPredict' : 'rawPredict';
  switch (surface) {
    case 'google':
      return `/publishers/google${call.path}`;
    case 'messages':
      return `/publishers/anthropic/models/${model}:${verb}`;
    case 'mistral':
      return `/publishers/mistralai/models/${model}:${verb}`;
    case 'open':
      return `/endpoints/openapi${call.path}`;
  }
}

/** The model stands in the address, and the version, elsewhere a header, in the body. */
function toRawPredict(text: string): string {
  const body = createOriginalBody(text);
  if (body === undefined) return text;
  return editBody(body, { set: new Map([['anthropic_version', MESSAGES_VERSION]]), remove: WITHOUT_MODEL });
}
