import { explainFailure } from '../failures/explain-failure';
import type { GatewayError } from '@weir/errors';

/** The provider answered, and what it answered is that it will not make this: the caller's 400. */
export function refusedContent(reason: string | undefined): GatewayError {
  const message = reason ?? 'The provider made nothing of this request and did not say why.';
  return explainFailure({ status: 400, headers: {}, words: { message, code: 'content_filter' }, secrets: [] });
}
