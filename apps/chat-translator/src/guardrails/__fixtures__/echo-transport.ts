import { collectReply, NO_USAGE, type ChatEvent } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import type { UpstreamTransport } from '@weir/upstream-http';
import { wireFormats, type ReplyContext } from '@weir/wire-formats';
import { Readable } from 'node:stream';

type Echo = {
  readonly transport: UpstreamTransport;
  /** Bodies as providers got them. */
  readonly received: string[];
  /** Whether the last stream was read to its end. */
  wasReadWhole(): boolean;
};

/** A request with these words gets a stream that breaks off at the end of its text. */
export const BREAKS_OFF = 'and break off at ';
/** A request with these words gets a stream of chat completions that reports a failure there. */
export const REPORTS_FAILURE = 'and fail at ';
const FAILURE = 'data: {"error":{"message":"out of memory","type":"server_error"}}\n\n';
const OVER = /"finish_reason":"|content_block_stop|output_text\.done/;

const USAGE = { ...NO_USAGE, inputUncached: 10, output: 20, source: 'provider' as const };

/** A provider of every dialect that repeats the user's text, a few letters at a time; a text that begins with `{` becomes a tool call. */
export function createEcho(): Echo {
  const received: string[] = [];
  let readWhole = false;
  return {
    received,
    wasReadWhole: () => readWhole,
    transport: (call) => {
      const text = call.body.toString();
      received.push(text);
      const dialect: ChatDialect = /messages$/.test(call.url) ? 'messages' : /responses$/.test(call.url) ? 'responses' : 'chat-completions';
      const body = JSON.parse(text) as Record<string, unknown>;
      const pieces = body['stream'] === true ? encodeStream(dialect, body) : [encodeWhole(dialect, body)];
      readWhole = false;
      const stream = Readable.from(
        (function* () {
          for (const piece of pieces) {
            // Breaks off after its text, before the event that ends it.
            if (text.includes(BREAKS_OFF) && OVER.test(piece)) throw new Error('connection reset');
            const isFailing = text.includes(REPORTS_FAILURE) && OVER.test(piece);
            yield Buffer.from(isFailing ? FAILURE : piece);
            if (isFailing) return;
          }
          readWhole = true;
        })(),
        { objectMode: false, highWaterMark: 1 },
      );
      return Promise.resolve({ status: 200, headers: {}, body: stream });
    },
  };
}

function encodeStream(dialect: ChatDialect, body: Record<string, unknown>): string[] {
  const encoder = wireFormats[dialect].createStreamEncoder(describeAsked(dialect, body));
  const priced = { usage: USAGE, costUsd: '0' };
  return listEvents(dialect, body).map((event) => encoder.encode(event, event.type === 'usage' ? priced : undefined));
}

function encodeWhole(dialect: ChatDialect, body: Record<string, unknown>): string {
  const reply = collectReply(listEvents(dialect, body));
  return wireFormats[dialect].encodeReply(reply, { usage: USAGE, costUsd: '0' }, describeAsked(dialect, body));
}

function describeAsked(dialect: ChatDialect, body: Record<string, unknown>): ReplyContext {
  return { requestId: 'req', modelId: 'm', asked: wireFormats[dialect].decodeRequest(body), body, nowMs: 0 };
}

function listEvents(dialect: ChatDialect, body: Record<string, unknown>): ChatEvent[] {
  const { turns } = wireFormats[dialect].decodeRequest(body);
  const blocks = turns.at(-1)?.content ?? [];
  const said = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const pieces = said.match(/[^]{1,4}/g) ?? [];
  const at = { choice: 0, block: 0 };
  const isCall = said.startsWith('{');
  const content: ChatEvent[] = isCall
    ? [
        { type: 'tool-call-start', ...at, id: 'call_1', name: 'note', kind: 'function' },
        ...pieces.map((argumentsText): ChatEvent => ({ type: 'tool-call-delta', ...at, argumentsText })),
        { type: 'tool-call-end', ...at },
      ]
    : [
        { type: 'text-start', ...at },
        ...pieces.map((text): ChatEvent => ({ type: 'text-delta', ...at, text })),
        { type: 'text-end', ...at },
      ];
  return [
    { type: 'start', id: 'echo', model: 'm', createdAtSeconds: 1 },
    ...content,
    { type: 'finish', choice: 0, finish: { unified: isCall ? 'tool-calls' : 'stop', upstream: null } },
    { type: 'usage', usage: USAGE },
    { type: 'end' },
  ];
}
