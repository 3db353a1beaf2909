import type { ImageRequest } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import type { MediaModality, OpenReply } from '../media/media-modality';
import { decodeImageRequest } from './decode-image-request';
import { makeImages } from './make-images';
import { planImages } from './plan-images';
import { streamImage } from './stream-image';

export const IMAGES: MediaModality<ImageRequest> = {
  decode: async (request, parts) => {
    const asked = await decodeImageRequest(request, parts);
    return request.forwarded.passport.isZeroRetention === true ? withoutKeeping(asked) : asked;
  },
  open: async (context, parts): Promise<OpenReply> => {
    const plan = await planImages(context, parts);
    return plan.decoder === null ? makeImages(context, plan, parts) : streamImage(context, { ...plan, decoder: plan.decoder }, parts);
  },
};

/** Nothing is kept for organizations that have nothing kept: not here, and not behind an address of the provider's. */
function withoutKeeping(asked: ImageRequest): ImageRequest {
  if (asked.responseFormat !== 'url') return { ...asked, responseFormat: 'b64_json' };
  throw new GatewayError('data_policy', 'Under zero data retention no picture is kept to be fetched. Ask for response_format "b64_json".', {
    field: 'response_format',
  });
}
