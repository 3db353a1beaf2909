import type { ChatEvent } from '@weir/canonical';
import { GatewayError } from '@weir/errors';

/** What a provider reported in mid-stream, as an error callers may see. */
export function decodeStreamFailure(event: Extract<ChatEvent, { type: 'error' }>): GatewayError {
  const message = event.message === '' ? 'The provider failed while it was answering.' : event.message;
  if (event.status === 429) return new GatewayError('provider_rate_limited', message);
  if (event.status === 503 || event.status === 529) return new GatewayError('provider_overloaded', message);
  return new GatewayError(event.status === 504 ? 'provider_timeout' : 'provider_failed', message);
}
