// A provider that costs as little as possible: every reply is a prepared buffer. Runs in its own process.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCompletionFrames, createCompletionReply, createMessageFrames, createMessageReply } from './sample-bodies';

const frameCount = Number(process.argv[2] ?? '50');
/** Until it begins to answer. */
const waitMs = Number(process.argv[3] ?? '0');
/** Frames of a stream in one write. */
const framesAtOnce = Number(process.argv[4] ?? '1');

type Prepared = { readonly whole: Buffer; readonly frames: readonly Buffer[] };

const completions: Prepared = {
  whole: Buffer.from(createCompletionReply('gpt-4o-mini-2024-07-18')),
  frames: joinFrames(createCompletionFrames('gpt-4o-mini-2024-07-18', frameCount)),
};
const messages: Prepared = {
  whole: Buffer.from(createMessageReply('claude-haiku-4-5')),
  frames: joinFrames(createMessageFrames('claude-haiku-4-5', frameCount)),
};

const STREAM_MARK = '"stream":true';

const server = createServer((request, response) => {
  const prepared = request.url?.endsWith('/messages') ? messages : completions;
  let wantsStream = false;
  let tail = '';
  request.on('data', (bytes: Buffer) => {
    tail = (tail + bytes.toString('latin1')).slice(-8192);
    wantsStream ||= tail.includes(STREAM_MARK);
  });
  const answer = (): void => {
    if (wantsStream) startStream(response, prepared.frames);
    else response.writeHead(200, { 'content-type': 'application/json', 'content-length': prepared.whole.length }).end(prepared.whole);
  };
  request.on('end', () => (waitMs > 0 ? void setTimeout(answer, waitMs) : answer()));
});

function joinFrames(frames: readonly string[]): Buffer[] {
  const writes = Array.from({ length: Math.ceil(frames.length / framesAtOnce) }, (_, index) => index * framesAtOnce);
  return writes.map((first) => Buffer.from(frames.slice(first, first + framesAtOnce).join('')));
}

function startStream(response: ServerResponse, frames: readonly Buffer[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  let next = 0;
  // One write per turn of the loop: frames sent in one turn would melt into one packet and look cheaper than they are.
  const sendNext = (): void => {
    if (response.destroyed) return;
    const bytes = frames[next];
    next += 1;
    if (bytes === undefined) return void response.end();
    response.write(bytes);
    setImmediate(sendNext);
  };
  sendNext();
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
