import { GatewayError } from '@weir/errors';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createNodeServer } from '../connections/create-node-server';
import { createRequestIdSource } from '../requests/create-request-id';
import { explainListening, tryPort } from '../connections/explain-listening';
import { findErrorDialect } from '../replies/find-error-dialect';
import { STARTING } from './health';
import { listenOn } from '../connections/listen-on';
import { sendError } from '../replies/send-error';

/** A port that is taken while the service behind it is still being opened. */
export type TakenPort = {
  readonly port: number;
  /** The server that listens, from now on without responses of its own. */
  handOver(): Server;
  /** Gives the port back, where no service came of it. */
  release(): void;
};

const RETRY_AFTER_SECONDS = 2;

/**
 * Takes a port before anything else is done, and responds there that the service is not ready yet. Rejects with an error
 * in plain words when it cannot be had.
 */
export async function takePort({ port, host }: { readonly port: number; readonly host: string }): Promise<TakenPort> {
  const server = createNodeServer();
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  const answer = createEarlyResponder();
  server.on('connection', onConnection).on('request', answer);
  const taken = await listenOn(server, port, host).catch(async (error: unknown) => {
    throw await explainListening(error, { port, host, setting: 'PORT' });
  });
  return {
    port: taken,
    handOver: () => {
      server.off('connection', onConnection).off('request', answer);
      // They are not counted among the service's own; what was answered on them is still sent.
      for (const socket of sockets) socket.destroySoon();
      return server;
    },
    release: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Makes sure that a port can be had, before it is needed. Rejects in plain words when it cannot. */
export async function checkPort({ port, host, setting }: { port: number; host: string; setting: string }): Promise<void> {
  await tryPort(port, host).catch(async (error: unknown) => {
    throw await explainListening(error, { port, host, setting });
  });
}

/** Responds that the service is starting. */
export function createEarlyResponder(): (request: IncomingMessage, response: ServerResponse) => void {
  const newRequestId = createRequestIdSource(Date.now);
  return (request, response) => {
    const requestId = newRequestId();
    const [path = '/'] = (request.url ?? '/').split('?');
    response.setHeader('x-request-id', requestId);
    response.setHeader('connection', 'close');
    if (path === '/healthz') return sendStatus(response, 200, { status: 'alive' });
    if (path === '/readyz') return sendStatus(response, 503, { status: 'not ready', problems: [STARTING] });
    const error = new GatewayError('dependency_down', 'The gateway is starting. Try again in a few seconds.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
    sendError(response, error, { requestId, dialect: findErrorDialect(path) });
  };
}

function sendStatus(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
