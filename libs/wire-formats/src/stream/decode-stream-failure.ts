import type { ChatEvent } from '@weir/canonical';
import { GatewayError, isErrorCode, type ErrorCode } from '@weir/errors';

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  429: 'provider_rate_limited',
  503: 'provider_overloaded',
  504: 'provider_timeout',
  529: 'provider_overloaded',
};

/** What a provider reported in mid-stream, as an error callers may see. */
export function decodeStreamFailure(event: Extract<ChatEvent, { type: 'error' }>): GatewayError {
  const message = event.message === '' ? 'The provider failed while it was answering.' : event.message;
  const code = isErrorCode(event.code) ? event.code : (CODE_OF_STATUS[event.status ?? 0] ?? 'provider_failed');
  return new GatewayError(code, message, {
    upstream: { status: event.status ?? 502, ...(event.providerCode === undefined ? {} : { code: event.providerCode }) },
    ...(event.context === undefined ? {} : { context: event.context }),
  });
}
