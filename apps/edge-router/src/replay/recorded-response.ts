import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A whole response as it went to the caller. */
export type RecordedResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** Headers about the response itself, not about this connection or this moment. */
const KEPT = new Set(['content-type', 'cache-control', 'x-accel-buffering', 'request-id', 'x-should-retry']);
/** `x-weir-cache` is set anew; the limits of the other request do not concern this one. */
const KEPT_OF_OURS = /^x-weir-(?!cache$|idempotency$)/;

/** What came as a trailer is known when the response is sent again, and stands in its head then: the cost in place of its estimate. */
export function pickResponseHeaders(headers: OutgoingHttpHeaders, trailers: OutgoingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...headers, ...trailers })) {
    if (name === 'x-weir-cost-estimate' && trailers['x-weir-cost'] !== undefined) continue;
    if (typeof value === 'string' && (KEPT.has(name) || KEPT_OF_OURS.test(name))) kept[name] = value;
  }
  return kept;
}

/** As bytes: the length of the head, the head as JSON, the body untouched. */
export function encodeResponse({ body, ...head }: RecordedResponse): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, body]);
}

export function decodeResponse(bytes: Buffer): RecordedResponse {
  const end = 4 + bytes.readUInt32BE(0);
  const head = JSON.parse(bytes.subarray(4, end).toString('utf8')) as Omit<RecordedResponse, 'body'>;
  return { ...head, body: bytes.subarray(end) };
}

/** Sends a recorded response byte for byte, with `more` headers. */
export function sendRecorded(response: ServerResponse, { status, headers, body }: RecordedResponse, more: Record<string, string>): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries({ ...headers, ...more })) response.setHeader(name, value);
  response.setHeader('content-length', body.length);
  response.end(body);
}
