import { GatewayError } from '@weir/errors';
import type { WorkerHandler } from '@weir/http-server';

/** Embedding models are listed, but no provider's embedding route is open yet: refused as what it is. */
export const refuseEmbeddings: WorkerHandler = () =>
  Promise.reject(new GatewayError('provider_not_configured', 'No provider of this gateway serves embedding requests.', { field: 'model' }));
