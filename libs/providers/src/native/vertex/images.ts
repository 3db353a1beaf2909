import type { ImageLane } from '../../provider/media-provider';
import { createImageLane as createGoogleLane } from '../google/images';
import type { VertexPlace } from './encode-request';
import { placeMedia } from './place-media';

/** Pictures by the models of the service's own maker. */
export function createImageLane(place: VertexPlace): ImageLane {
  const lane = createGoogleLane('vertex');
  return {
    ...lane,
    encodeRequest: async (request, target, losses) => placeMedia(await lane.encodeRequest(request, target, losses), target, place),
  };
}
