// A provider that costs as little as possible: every reply is a prepared buffer. Runs in its own process.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCompletionFrames, createCompletionReply, createMessageFrames, createMessageReply } from '../sample-bodies';

const frameCount = Number(process.argv[2] ?? '50');

type Prepared = { readonly whole: Buffer; readonly frames: readonly Buffer[] };

const completions: Prepared = {
  whole: Buffer.from(createCompletionReply('gpt-4o-mini-2024-07-18')),
  frames: createCompletionFrames('gpt-4o-mini-2024-07-18', frameCount).map((text) => Buffer.from(text)),
};
const messages: Prepared = {
  whole: Buffer.from(createMessageReply('claude-haiku-4-5')),
  frames: createMessageFrames('claude-haiku-4-5', frameCount).map((text) => Buffer.from(text)),
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
  request.on('end', () => {
    if (wantsStream) startStream(response, prepared.frames);
    else response.writeHead(200, { 'content-type': 'application/json', 'content-length': prepared.whole.length }).end(prepared.whole);
  });
});

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
