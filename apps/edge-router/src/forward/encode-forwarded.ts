import { getEndpoint } from '@weir/contracts';
import type { ReceivedForm, ForwardedRequest } from '@weir/http-server';
import { encodeMultipart, type SentPart, type UpstreamCall } from '@weir/upstream-http';

export type EncodedForward = Pick<UpstreamCall, 'method' | 'headers' | 'body'> & {
  /** With its query. */
  readonly path: string;
};

/** An admitted request as it goes to a worker in another process, without what the caller's headers said. */
export function encodeForwarded({ passport, params = {}, query = '', body, form }: ForwardedRequest): EncodedForward {
  const { method, path } = getEndpoint(passport.endpointId);
  const filled = path.includes(':') ? path.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')) : path;
  const content = form === undefined ? { headers: NO_HEADERS, body } : encodeForm(form);
  return {
    method: method as UpstreamCall['method'],
    path: query === '' ? filled : `${filled}?${query}`,
    headers: content.headers,
    body: content.body,
  };
}

const NO_HEADERS: Readonly<Record<string, string>> = {};

/** The fields first: the worker then knows the model before the files arrive. */
function encodeForm({ fields, files }: ReceivedForm): Pick<UpstreamCall, 'headers' | 'body'> {
  const { contentType, length, body } = encodeMultipart([
    ...fields.map((field): SentPart => ({ kind: 'field', ...field })),
    ...files.map((file): SentPart => ({ kind: 'file', name: file.field, file })),
  ]);
  return { headers: { 'content-type': contentType, 'content-length': String(length) }, body };
}
