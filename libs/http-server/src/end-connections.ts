import { Server as NetServer } from 'node:net';
import type { Server, ServerResponse } from 'node:http';
import type { ConnectionBook } from './load/connection-book';

/** How long a connection without a request stays open. Longer than balancers keep theirs. */
export const CONNECTION_IDLE_MS = 75_000;

/**
 * What answers say of their connections. Callers that obey it let an idle one go before a server that ends does, so that none
 * of their requests meets a closed one; balancers do not look at it.
 */
export const KEEP_ALIVE_HEADER = 'keep-alive';
export const KEEP_ALIVE = 'timeout=5';

/** Tells a caller how long the connection may be kept, unless it ends with this answer anyway. */
export function setKeepAlive(response: ServerResponse): void {
  if (response.shouldKeepAlive) response.setHeader(KEEP_ALIVE_HEADER, KEEP_ALIVE);
}

/** Asks a caller to come over another connection the next time. */
export function closeAfterResponse(response: ServerResponse): void {
  response.removeHeader(KEEP_ALIVE_HEADER);
  response.setHeader('connection', 'close');
}

export type Patience = {
  /** Running requests get so long, then are cut. */
  readonly timeoutMs: number;
  /** Connections without a request get so long. */
  readonly lingerMs: number;
};

/** Refuses new connections, and resolves when the last one is closed. */
export function drain(server: Server, connections: ConnectionBook, { timeoutMs, lingerMs }: Patience): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
    // As an HTTP server it would close what is idle at this moment, the connection of a stream that has just ended included.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(cut);
      clearInterval(sweep);
      server.close(); // ends its timers
      resolve();
    });
    const closeIdle = (): void => connections.closeIdle(lingerMs);
    const sweep = setInterval(closeIdle, 50);
    closeIdle();
  });
}
