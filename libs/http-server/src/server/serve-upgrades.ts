import { toGatewayError } from '@weir/errors';
import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { duplexPair, type Duplex } from 'node:stream';
import { findErrorDialect } from '../replies/find-error-dialect';
import { sendError } from '../replies/send-error';
import type { ConnectionBook } from '../connections/connection-book';

/** A connection that is to speak another protocol from here on. */
export type Upgrade = {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** What the caller has sent behind its request. */
  readonly head: Buffer;
  /** Opens a connection to this server from the address of the caller: requests on it are served like all others. */
  readonly connect: () => Duplex;
  /** Says whether the connection is at work: one that is not may be closed when the server drains. */
  readonly setBusy: (isBusy: boolean) => void;
};

/** What becomes of upgrades to WebSocket at one path; rejects with the error that they are refused with. */
export type UpgradeHandler = {
  readonly path: string;
  upgrade(upgrade: Upgrade): Promise<void>;
  /** Ends connections that are not at work, and the others when their work is done. */
  startDraining(): void;
};

const HEADERS_OF_UPGRADES = new Set(['upgrade', 'http2-settings', 'connection']);

/**
 * Serves upgrades. Without a handler node passes over the wish to upgrade; with one it hands over every connection that has
 * such a wish, so that those with another (`h2c`, which clients in Java send first) are served here as if they had none.
 */
export function serveUpgrades(server: Server, handler: UpgradeHandler, book: ConnectionBook, newRequestId: () => string): void {
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const socket = stream as Socket;
    const [path] = (request.url ?? '').split('?', 1);
    if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket' || path !== handler.path) {
      serveWithoutUpgrade(server, { request, socket, head });
      return;
    }
    // Node looks after a connection no more once it is upgraded: without a listener an error would end the process.
    socket.on('error', () => socket.destroy());
    const connection = book.requestStarted(socket);
    let isBusy = true;
    const setBusy = (busy: boolean): void => {
      if (busy === isBusy) return;
      isBusy = busy;
      if (busy) book.requestStarted(socket);
      else book.requestEnded(connection, performance.now());
    };
    const connect = (): Duplex => openInner(server, socket);
    handler.upgrade({ request, socket, head, connect, setBusy }).catch((error: unknown) => {
      const response = new ServerResponse(request);
      response.assignSocket(socket);
      response.setHeader('connection', 'close');
      response.on('finish', () => socket.destroySoon());
      sendError(response, toGatewayError(error), { requestId: newRequestId(), dialect: findErrorDialect(path) });
    });
  });
}

/** Gives the connection back to the server, with its request in front, written without the wish. */
function serveWithoutUpgrade(server: Server, { request, socket, head }: Pick<Upgrade, 'request' | 'socket' | 'head'>): void {
  const { rawHeaders } = request;
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!HEADERS_OF_UPGRADES.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  if (/\bclose\b/i.test(request.headers.connection ?? '')) lines.push('Connection: close');
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function openInner(server: Server, { remoteAddress, remotePort, remoteFamily }: Socket): Duplex {
  const [caller, served] = duplexPair();
  // Each learns that the other is gone, as it would of a connection.
  caller.once('close', () => served.destroy());
  served.once('close', () => {
    if (!served.writableFinished) caller.destroy(new Error('the connection was closed'));
  });
  server.emit('connection', Object.assign(served, { remoteAddress, remotePort, remoteFamily, bytesRead: 0, bytesWritten: 0 }));
  return caller;
}
