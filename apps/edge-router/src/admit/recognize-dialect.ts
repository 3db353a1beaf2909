import { getEndpoint, type EndpointRow } from '@weir/contracts';
import type { IncomingHttpHeaders } from 'node:http';

/** One word before it, the vendor's: SDKs tell versions of themselves and of their surroundings in headers of more words. */
const VERSION_HEADER = /^[a-z]+-version$/;

/**
 * The endpoint that a chat body is meant for. Only what sets dialects apart is looked at: which body it is decides nothing
 * but how its limit of output is called.
 */
export function recognizeDialect(json: Readonly<Record<string, unknown>>, headers: IncomingHttpHeaders): EndpointRow {
  if (json['input'] !== undefined) return getEndpoint('responses');
  const isMessages = json['system'] !== undefined || Object.keys(headers).some((name) => VERSION_HEADER.test(name));
  return getEndpoint(isMessages ? 'messages' : 'chat-completions');
}
