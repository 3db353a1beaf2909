import { encodeError, type GatewayError } from '@weir/errors';
import type { WatchedRequest } from '@weir/exchange';

/** An error in the middle of a stream of events: the envelope as an event of its own. */
export function encodeStreamError({ forwarded }: Pick<WatchedRequest, 'forwarded'>, error: GatewayError): string {
  return `event: error\ndata: ${encodeError(error, 'gateway', forwarded.passport.requestId).body}\n\n`;
}
