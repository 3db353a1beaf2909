// A provider as fast as models are: streams of some seconds, frame by frame, and whole replies after a while. Runs in its own process.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCompletionFrames, createCompletionReply } from '../processes/sample-bodies';
import { planReply } from './plan-reply';

const MODEL = 'gpt-4o-mini-2024-07-18';
const STREAM_MARK = '"stream":true';
const TICK_MS = 10;
const FRAMES_MOST = 300;

type Running = {
  readonly response: ServerResponse;
  readonly frames: number;
  readonly ms: number;
  readonly startedAt: number;
  sent: number;
};

const whole = Buffer.from(createCompletionReply(MODEL));
const frames = createCompletionFrames(MODEL, FRAMES_MOST);
const contents = frames.slice(0, FRAMES_MOST + 1);
const ending = frames.slice(FRAMES_MOST + 1).join('');
const running = new Set<Running>();
let asked = 0;

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('latin1').on('data', (part: string) => (text += part));
  request.on('end', () => {
    asked += 1;
    const { frames: count, streamMs, wholeMs } = planReply(asked);
    if (text.includes(STREAM_MARK)) startStream(response, count, streamMs);
    else
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length }).end(whole), wholeMs);
  });
});

function startStream(response: ServerResponse, count: number, ms: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  running.add({ response, frames: count, ms, startedAt: performance.now(), sent: 0 });
}

/** One clock for all streams: what is due of each is one write, as a rule one frame. */
setInterval(() => {
  const now = performance.now();
  for (const stream of running) sendDue(stream, now);
}, TICK_MS);

function sendDue(stream: Running, now: number): void {
  const { response, frames: count, ms, startedAt, sent } = stream;
  const due = Math.min(count, Math.ceil(((now - startedAt) / ms) * count));
  if (response.destroyed || due === count) running.delete(stream);
  if (response.destroyed || due === sent) return;
  stream.sent = due;
  const text = contents.slice(sent, due).join('');
  if (due < count) response.write(text);
  else response.end(text + ending);
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
