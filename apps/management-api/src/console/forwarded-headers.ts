import { NOT_BEGUN_HEADER } from '@weir/contracts';
import type { IncomingHttpHeaders } from 'node:http';

const SENT = new Set([
  ...['content-type', 'content-length', 'accept', 'accept-encoding', 'idempotency-key', 'if-none-match', 'range', 'traceparent', 'x-title'],
]);
/** What describes a request, and which version of a dialect it speaks. */
const SENT_FAMILIES = /^x-(?:weir|requesty)-|-(?:version|beta)$/;

const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];
/** Cookies are the console's own to set, and so is how far a browser may trust what it is sent. */
const KEPT_BACK = new Set([
  ...HOP_BY_HOP,
  ...['set-cookie', 'content-security-policy', 'x-frame-options', 'x-content-type-options', 'referrer-policy', NOT_BEGUN_HEADER],
]);

/** What the interface gets of a browser's headers: what its endpoints read, and never who the browser says it is. */
export function pickSentHeaders(headers: IncomingHttpHeaders, key: string): IncomingHttpHeaders {
  const sent = Object.entries(headers).filter(([name]) => SENT.has(name) || SENT_FAMILIES.test(name));
  const chunked = headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
  return { ...Object.fromEntries(sent), ...chunked, authorization: `Bearer ${key}` };
}

/** What the browser gets of a response. */
export function pickReplyHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set(headers.connection?.split(',').map((name) => name.trim().toLowerCase()));
  const picked = Object.fromEntries(Object.entries(headers).filter(([name]) => !KEPT_BACK.has(name) && !named.has(name)));
  const keep = describeKeeping(headers);
  return keep === undefined ? picked : { ...picked, 'cache-control': keep };
}

/** A response is one session's own; and a stream is not compressed, which would hold its events back. */
function describeKeeping({ 'cache-control': keep, 'content-type': type }: IncomingHttpHeaders): string | undefined {
  const own = keep?.replace(/\bpublic\b/i, 'private');
  if (type?.startsWith('text/event-stream') !== true || /no-transform/i.test(own ?? '')) return own;
  return own === undefined ? 'no-cache, no-transform' : `${own}, no-transform`;
}
