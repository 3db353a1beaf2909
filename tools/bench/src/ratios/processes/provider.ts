// A provider that costs as little as possible and replies as it is asked to between measurements. Runs in its own process.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCompletionFrames, createCompletionReply, createMessageFrames, createMessageReply } from '../../processes/sample-bodies';
import type { ReplyPlan } from './reply-plan';
import { startSteadyStreams, type SteadyStreams } from './steady-streams';

const MODEL = 'gpt-4o-mini-2024-07-18';
const STREAM_MARK = '"stream":true';
/** Where a request says that it wants a stream: near its end, as clients write it. */
const TAIL_BYTES = 256;

type Dialect = { readonly whole: Buffer; frames: readonly Buffer[] };

const completions: Dialect = { whole: Buffer.from(createCompletionReply(MODEL)), frames: [] };
const messages: Dialect = { whole: Buffer.from(createMessageReply('claude-haiku-4-5')), frames: [] };

let steady: SteadyStreams | undefined;

process.on('message', ({ frames, everyMs }: ReplyPlan) => {
  steady?.end();
  steady = everyMs === undefined ? undefined : startSteadyStreams(everyMs, describeSteady(frames));
  completions.frames = createCompletionFrames(MODEL, frames).map((text) => Buffer.from(text));
  messages.frames = createMessageFrames('claude-haiku-4-5', frames).map((text) => Buffer.from(text));
  process.send?.('ready');
});

/** A first frame again and again; then the last one and what comes after it. */
function describeSteady(frames: number): { frame: Buffer; ending: Buffer } {
  const texts = createCompletionFrames(MODEL, frames);
  return { frame: Buffer.from(texts[1] ?? ''), ending: Buffer.from(texts.slice(frames).join('')) };
}

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (bytes: Buffer) => pieces.push(bytes));
  request.on('end', () => respond(request, pieces, response));
});

function respond({ url = '' }: IncomingMessage, pieces: readonly Buffer[], response: ServerResponse): void {
  const dialect = url.endsWith('/messages') ? messages : completions;
  if (wantsStream(pieces)) return startStream(response, dialect.frames);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': dialect.whole.length }).end(dialect.whole);
}

/** Looks at the whole only when the end does not say it: a translated request has its members in another order. */
function wantsStream(pieces: readonly Buffer[]): boolean {
  const last = pieces[pieces.length - 1];
  return last !== undefined && (last.subarray(-TAIL_BYTES).includes(STREAM_MARK) || pieces.some((piece) => piece.includes(STREAM_MARK)));
}

/** What is written in one turn of the loop leaves as one packet, each frame a chunk of its own in it. */
function startStream(response: ServerResponse, frames: readonly Buffer[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  if (steady !== undefined) return steady.add(response);
  for (const bytes of frames) response.write(bytes);
  response.end();
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
