import { GatewayError } from '@weir/errors';
import type { IncomingHttpHeaders } from 'node:http';

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;

/** Throws `unsupported_media_type` for a body that says it is not JSON, or that comes compressed. */
export function checkMediaType(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'];
  if (type !== undefined && !JSON_TYPE.test(type)) {
    throw new GatewayError('unsupported_media_type', 'This endpoint takes JSON. Send "Content-Type: application/json".');
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new GatewayError('unsupported_media_type', 'Compressed request bodies are not accepted. Send the body without Content-Encoding.');
  }
}
