import { encodeError, type GatewayError } from '@weir/errors';
import type { WatchedRequest } from '@weir/exchange';

/** An error in the middle of a stream of events: the envelope as an event of its own. */
export function encodeStreamError({ work }: Pick<WatchedRequest, 'work'>, error: GatewayError): string {
  return `event: error\ndata: ${encodeError(error, 'gateway', work.passport.requestId).body}\n\n`;
}
