import type { ProviderTarget } from '../../provider/target';
import { unsupported } from '../../failures/unsupported';
import type { ImageLane } from '../../provider/media-provider';
import { decodeGeminiImages, encodeGeminiImages } from './gemini-images';
import type { ImageSurface } from './image-types';
import { decodeImagen, encodeImagen, IMAGEN_COUNT_MAX, isImagen, isImagenEditor } from './imagen';

/** Pictures by either family of models: those that talk, and those that only draw. */
export function createImageLane(surface: ImageSurface): ImageLane {
  return {
    countMax: (target) => (isImagen(nameOf(target)) ? IMAGEN_COUNT_MAX : 1),
    edits: (target) => !isImagen(nameOf(target)) || isImagenEditor(nameOf(target)),
    encodeRequest(request, target, losses) {
      const name = nameOf(target);
      if (!isImagen(name)) return encodeGeminiImages(request, { target, losses, surface });
      const hasImages = request.images.length > 0;
      if (hasImages !== isImagenEditor(name)) {
        throw hasImages ? unsupported('image', 'Editing a picture') : unsupported('model', 'Making a picture without one to edit');
      }
      return encodeImagen(request, { target, losses });
    },
    decodeReply: (reply, { target }) => (isImagen(nameOf(target)) ? decodeImagen(reply) : decodeGeminiImages(reply)),
  };
}

function nameOf({ attempt }: ProviderTarget): string {
  return attempt.upstreamModel;
}
