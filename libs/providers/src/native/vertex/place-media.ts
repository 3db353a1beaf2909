import type { ProviderTarget } from '../../provider/target';
import { unsupported } from '../../failures/unsupported';
import type { MediaCall } from '../../provider/media-provider';
import { isImagen } from '../google/imagen';
import { addressOf, type VertexPlace } from './encode-request';
import { findSurface } from './surfaces';

const IMAGEN_LOCATION = 'us-central1';

/** A call for the maker's own service, with the addresses of this one. Other makers' models have no such calls. */
export function placeMedia(call: MediaCall, target: ProviderTarget, place: VertexPlace): MediaCall {
  if (findSurface(target) !== 'google') throw unsupported('model', 'Pictures and sound with this model');
  const wanted = locationOf(target, place);
  // Models that only draw are not served without a region.
  const location = wanted === 'global' && isImagen(target.attempt.upstreamModel) ? IMAGEN_LOCATION : wanted;
  return {
    ...call,
    baseUrl: place.baseUrl ?? addressOf(location),
    path: `/projects/${place.project}/locations/${location}/publishers/google${call.path}`,
  };
}

export function locationOf({ attempt }: ProviderTarget, place: VertexPlace): string {
  return attempt.region?.toLowerCase() ?? place.location;
}

/** The area whose speech service a location uses: those are there by area, not in every region. */
export function speechAreaOf(location: string): string {
  if (location.startsWith('europe-')) return 'eu';
  return location.startsWith('us-') ? 'us' : location;
}
