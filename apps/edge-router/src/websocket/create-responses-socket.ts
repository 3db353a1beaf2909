import { readCredential, type Authenticator } from '@weir/access';
import type { Upgrade, UpgradeHandler } from '@weir/http-server';
import { WebSocketServer, type WebSocket } from 'ws';
import { ResponsesSession } from './responses-session';

type ResponsesSocketParts = {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  /** A message may be so long, and so much of a conversation is kept. */
  readonly bodyBytesMax: number;
};

/** Peers that are gone without a word are noticed by it, and what stands between keeps the connection. */
const PING_EVERY_MS = 30_000;
/** As its vendor ends connections. */
const OPEN_MS_MAX = 60 * 60_000;

const GOING_AWAY = [1001, 'The server is going away. Open another connection.'] as const;
const TIME_IS_UP = [1008, 'This connection has been open for 60 minutes. Open another one.'] as const;

/** Serves `GET /v1/responses` as WebSocket: each `response.create` is a request to this server, admitted, limited and metered as such. */
export function createResponsesSocket({ authenticator, bodyBytesMax }: ResponsesSocketParts): UpgradeHandler {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: bodyBytesMax, perMessageDeflate: false, clientTracking: false });
  const sessions = new Set<ResponsesSession>();
  let isDraining = false;

  const open = (upgrade: Upgrade): void => {
    sockets.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, (socket) => {
      const session = new ResponsesSession(socket, { ...upgrade, historyLengthMax: bodyBytesMax });
      sessions.add(session);
      const stopWatching = watchPeer(socket, () => session.closeWhenIdle(...TIME_IS_UP));
      socket.on('close', () => {
        stopWatching();
        sessions.delete(session);
      });
      if (isDraining) session.closeWhenIdle(...GOING_AWAY);
    });
  };
  return {
    path: '/v1/responses',
    upgrade: async (upgrade) => {
      await authenticator.authenticate(readCredential(upgrade.request.headers, 'bearer'));
      open(upgrade);
    },
    startDraining: () => {
      isDraining = true;
      for (const session of sessions) session.closeWhenIdle(...GOING_AWAY);
    },
  };
}

/** Ends a connection whose peer replies to no ping, and one that has been open for long enough. Returns how to stop. */
function watchPeer(socket: WebSocket, endInTime: () => void): () => void {
  let hasReplied = true;
  const timer = setInterval(() => {
    if (!hasReplied) return socket.terminate();
    hasReplied = false;
    socket.ping();
  }, PING_EVERY_MS);
  const end = setTimeout(endInTime, OPEN_MS_MAX);
  socket.on('pong', () => (hasReplied = true));
  return () => {
    clearInterval(timer);
    clearTimeout(end);
  };
}
