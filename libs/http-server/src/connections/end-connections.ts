import { Server as NetServer } from 'node:net';
import type { Server, ServerResponse } from 'node:http';
import { addHeader } from './reply-response';
import type { ConnectionBook } from './connection-book';

/** How long a connection without a request stays open. Longer than balancers keep theirs. */
export const CONNECTION_IDLE_MS = 75_000;

/**
 * What responses say of their connections. Clients that obey it let an idle one go before a server that ends does, so that none
 * of their requests meets a closed one; balancers do not look at it.
 */
export const KEEP_ALIVE_HEADER = 'keep-alive';
export const KEEP_ALIVE = 'timeout=5';

/** States how long a client may keep the connection, unless it ends with this response anyway. */
export function setKeepAlive(response: ServerResponse): void {
  if (response.shouldKeepAlive) addHeader(response, KEEP_ALIVE_HEADER, KEEP_ALIVE);
}

/** Asks a client to use another connection for its next request. */
export function closeAfterResponse(response: ServerResponse): void {
  response.removeHeader(KEEP_ALIVE_HEADER);
  response.setHeader('connection', 'close');
}

type Patience = {
  /** Running requests get so long, then are cut. */
  readonly timeoutMs: number;
  /** Connections without a request get so long. */
  readonly lingerMs: number;
};

/** Refuses new connections, and resolves when the last one is closed. */
export function drain(server: Server, connections: ConnectionBook, { timeoutMs, lingerMs }: Patience): Promise<void> {
  return new Promise((resolve) => {
    let isClosed = false;
    const cut = setTimeout(() => connections.closeAll(), timeoutMs);
    const closeIdle = (): void => connections.closeIdle(lingerMs);
    // Connections that another process accepted are none of those that the server itself waits for.
    const endIfEmpty = (): void => {
      if (!isClosed || connections.count > 0) return;
      clearTimeout(cut);
      clearInterval(sweep);
      server.close(); // ends its timers
      resolve();
    };
    const sweep = setInterval(() => {
      closeIdle();
      endIfEmpty();
    }, 50);
    // As an HTTP server it would close what is idle at this moment, the connection of a stream that has just ended included.
    NetServer.prototype.close.call(server, () => {
      isClosed = true;
      endIfEmpty();
    });
    closeIdle();
  });
}
