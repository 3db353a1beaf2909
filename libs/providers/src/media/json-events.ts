import { GatewayError } from '@weir/errors';
import { explainFailure, wordsOf } from '../failures/explain-failure';
import { hasFailure, statusOfFailure } from '../failures/stream-failure';
import { unreadableReply } from '../failures/unsupported';
import { createSseReader, type SseFrame } from '../streams/sse-frames';
import { asRecord, parseJson, type JsonRecord } from '../wire/json-value';

/** What a failure counts as whose words stand for no status: the provider's own. */
const NO_STATUS = 502;

type JsonEvents<Event> = {
  push(bytes: Uint8Array): Event[];
  end(): Event[];
};

/**
 * Server-sent events whose data are JSON objects, each given to `take`. Throws `provider_unreadable` for other data, and
 * the provider's failure where it reports one among them.
 */
export function createJsonEvents<Event>(take: (body: JsonRecord) => readonly Event[]): JsonEvents<Event> {
  const reader = createSseReader();
  const takeAll = (frames: readonly SseFrame[]): Event[] =>
    frames.flatMap(({ data }) => (data === '' || data === '[DONE]' ? [] : take(readBody(data))));
  return {
    push: (bytes) => takeAll(reader.push(bytes)),
    end: () => takeAll(reader.end()),
  };
}

function readBody(data: string): JsonRecord {
  const body = asRecord(parseJson(data));
  if (body === undefined) throw unreadableReply();
  if (!hasFailure(body)) return body;
  const words = wordsOf(body);
  throw explainFailure({
    status: statusOfFailure(body) ?? NO_STATUS,
    headers: {},
    words: { ...words, message: words.message || 'The provider failed while it was answering.' },
    secrets: [],
  });
}

/** The connection ended before the provider said that it was done. */
export function cutStream(): GatewayError {
  return new GatewayError('provider_stream_cut', 'The provider broke off before its answer was complete. Try again.');
}
