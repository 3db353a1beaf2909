import { getEndpoint } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { WorkerHandler } from '@weir/http-server';

/**
 * The media worker. No provider of this gateway has an adapter for images, speech or transcription yet, so every request
 * is refused as what it is: a model that cannot be reached here.
 */
export function composeMediaService(): { readonly handle: WorkerHandler } {
  return {
    handle: (work) => {
      const { modality } = getEndpoint(work.passport.endpointId);
      return Promise.reject(
        new GatewayError('provider_not_configured', `No provider of this gateway serves ${modality ?? 'such'} requests.`, {
          field: 'model',
        }),
      );
    },
  };
}
