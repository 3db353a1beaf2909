// Holds many streams open at a time, and says which of them get frames. Runs in its own process.
import { connect, type Socket } from 'node:net';
import type { HoldReply, HoldRequest, OpenJob } from './hold-job';

type Held = { readonly socket: Socket; state: 'asked' | 'open' | 'refused' | 'broken' | 'ended'; isSilent: boolean; tail: string };

const END_MARK = 'data: [DONE]';
const TAIL_CHARACTERS = 64;
const TICK_MS = 20;
/** For the last to be served before anything is looked at. */
const SETTLE_MS = 5_000;

const held: Held[] = [];
let firstFault: string | undefined;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

process.on('message', (request: HoldRequest) => {
  serve(request)
    .then(() => process.send?.(report()))
    .catch((error: unknown) => {
      process.stderr.write(`stream holder: ${String(error)}\n`);
      process.exit(1);
    });
});
process.on('disconnect', () => process.exit(0));

async function serve(request: HoldRequest): Promise<void> {
  switch (request.kind) {
    case 'open':
      await openAll(request);
      return pause(SETTLE_MS);
    case 'watch':
      for (const stream of held) stream.isSilent = true;
      return pause(request.seconds * 1000);
    case 'end':
      return endAll(request.seconds);
  }
}

async function openAll({ streams, perSecond, ...job }: OpenJob): Promise<void> {
  const request = Buffer.from(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${job.port}\r\ncontent-type: application/json\r\n` +
      `authorization: Bearer ${job.key}\r\ncontent-length: ${Buffer.byteLength(job.body)}\r\n\r\n${job.body}`,
  );
  const startedAt = performance.now();
  while (held.length < streams) {
    const due = Math.min(streams, Math.floor(((performance.now() - startedAt) / 1000) * perSecond));
    while (held.length < due) held.push(openOne(job.port, request));
    await pause(TICK_MS);
  }
}

function openOne(port: number, request: Buffer): Held {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(request));
  const stream: Held = { socket, state: 'asked', isSilent: true, tail: '' };
  const fail = (fault: string): void => {
    if (stream.state === 'ended' || stream.state === 'refused') return;
    stream.state = 'broken';
    firstFault ??= fault;
  };
  socket.on('data', (bytes: Buffer) => read(stream, bytes.toString('latin1')));
  socket.on('error', (error) => fail(error.message));
  socket.on('close', () => fail('a stream was closed before its end'));
  return stream;
}

function read(stream: Held, text: string): void {
  if (stream.state === 'asked') {
    stream.state = text.startsWith('HTTP/1.1 200') ? 'open' : 'refused';
    if (stream.state === 'refused') firstFault ??= text.slice(0, 400);
  }
  if (text.includes('data: ')) stream.isSilent = false;
  const seen = stream.tail + text;
  if (stream.state === 'open' && seen.includes(END_MARK)) stream.state = 'ended';
  stream.tail = seen.slice(-TAIL_CHARACTERS);
}

async function endAll(seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  const isRunning = ({ state }: Held): boolean => state === 'asked' || state === 'open';
  while (held.some(isRunning) && performance.now() < deadline) await pause(100);
  for (const { socket } of held)
    socket
      .removeAllListeners()
      .on('error', () => undefined)
      .destroy();
}

function report(): HoldReply {
  const count = (isIt: (stream: Held) => boolean): number => held.filter(isIt).length;
  return {
    open: count(({ state }) => state !== 'refused' && state !== 'broken'),
    refused: count(({ state }) => state === 'refused' || state === 'broken'),
    silent: count(({ isSilent }) => isSilent),
    ended: count(({ state }) => state === 'ended'),
    firstFault,
  };
}
