// Listens at the port of metrics in a thread of its own and passes requests to the main thread, which waits in place while the
// disk takes a record of the journal: a probe has to see even then that the process lives.
import { createServer, request as sendRequest, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { MessageChannel, parentPort, workerData } from 'node:worker_threads';
import { listenOn } from '../connections/listen-on';
import type { MetricsThreadData, ThreadConnection, ThreadListening } from './open-metrics-thread';
import { PortStream } from './port-stream';

/** What of a main thread that does not reply is seen from here. */
type Silence = { readonly isAlive: boolean; readonly problem: string };

const { diskCalls, beats, silenceMsMax, connectionsMax } = workerData as MetricsThreadData;
/** Probes of most balancers wait for a second. */
const LIVENESS_PATIENCE_MS = 500;
const PATIENCE_MS = 2000;
/** Of one connection, and not of what it carries. */
const HOP_HEADERS = ['connection', 'keep-alive', 'transfer-encoding'];

const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, passOn);
server.maxConnections = connectionsMax;
parentPort?.on('message', ({ port, host }: { port: number; host: string }) => void listen(port, host));

async function listen(port: number, host: string): Promise<void> {
  const listening: ThreadListening = await listenOn(server, port, host).then(
    (found) => ({ port: found }),
    // Errors lose their code on the way between threads.
    ({ message, code }: NodeJS.ErrnoException) => ({ message, code }),
  );
  parentPort?.postMessage(listening);
}

function passOn(request: IncomingMessage, response: ServerResponse): void {
  const { port1, port2 } = new MessageChannel();
  const connection: ThreadConnection = { connection: port2, remoteAddress: request.socket.remoteAddress };
  parentPort?.postMessage(connection, [port2]);
  const isLiveness = /^\/healthz(\?|$)/.test(request.url ?? '') && (request.method === 'GET' || request.method === 'HEAD');
  const { expect: _met, ...headers } = request.headers;
  const onward = sendRequest({
    createConnection: () => new PortStream(port1),
    method: request.method,
    path: request.url,
    headers: { ...headers, connection: 'close' },
  });
  const fail = (): void => {
    clearTimeout(timer);
    onward.destroy();
    if (response.headersSent) response.destroy();
    else replyForMain(response, isLiveness);
  };
  const timer = setTimeout(fail, isLiveness ? LIVENESS_PATIENCE_MS : PATIENCE_MS);
  onward.on('response', (reply) => {
    clearTimeout(timer);
    const kept = Object.entries(reply.headers).filter(([name]) => !HOP_HEADERS.includes(name));
    response.writeHead(reply.statusCode ?? 502, Object.fromEntries(kept) as OutgoingHttpHeaders);
    reply.on('error', () => response.destroy());
    reply.pipe(response);
  });
  onward.on('error', fail);
  response.on('close', () => {
    clearTimeout(timer);
    onward.off('error', fail).on('error', () => undefined); // the client is gone, or has its reply
    onward.destroy();
  });
  request.pipe(onward);
}

function replyForMain(response: ServerResponse, isLiveness: boolean): void {
  const { isAlive, problem } = readSilence();
  const isWell = isLiveness && isAlive;
  const status = isLiveness ? (isAlive ? 'alive' : 'stuck') : 'not ready';
  const body = JSON.stringify({ status, problems: [problem] });
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
  // What came of the request and was not read would be taken for the next one.
  response.writeHead(isWell ? 200 : 503, { ...headers, connection: 'close' }).end(body);
}

function readSilence(): Silence {
  const silentMs = Number(process.hrtime.bigint() - Atomics.load(beats, 0)) / 1e6;
  if (Atomics.load(diskCalls, 0) === 1) {
    return { isAlive: true, problem: 'the disk of the journal does not reply: the process waits for it, and goes on when it does' };
  }
  const problem = `the process has been busy for ${Math.round(silentMs / 1000)} s and has not replied`;
  return { isAlive: silentMs < silenceMsMax, problem };
}
