import type { EndpointRow } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { isForm } from '@weir/http-server';
import type { IncomingHttpHeaders } from 'node:http';

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;

const SAYINGS: Readonly<Record<Exclude<EndpointRow['body'], 'none'>, string>> = {
  json: 'This endpoint takes JSON. Send "Content-Type: application/json".',
  form: 'This endpoint takes a form. Send "Content-Type: multipart/form-data" with its boundary.',
  'json-or-form': 'This endpoint takes JSON or a form. Send "Content-Type: application/json" or "multipart/form-data".',
};

/** Throws `unsupported_media_type` for a body that does not say it is what the endpoint takes, or that comes compressed. */
export function checkMediaType(headers: IncomingHttpHeaders, body: EndpointRow['body'] = 'json'): void {
  if (body === 'none') return;
  const isJson = body !== 'form' && JSON_TYPE.test(headers['content-type'] ?? '');
  if (!isJson && !(body !== 'json' && isForm(headers))) throw new GatewayError('unsupported_media_type', SAYINGS[body]);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new GatewayError('unsupported_media_type', 'Compressed request bodies are not accepted. Send the body without Content-Encoding.');
  }
}
