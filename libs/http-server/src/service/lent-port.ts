import type { Socket } from 'node:net';
import { createNodeServer } from '../connections/create-node-server';
import type { TakenPort } from './take-port';

export type LentPort = TakenPort & {
  /** Serves a connection that another process accepted and has not read from. */
  take(socket: Socket): void;
};

/** The port of a service whose connections another process accepts: it listens nowhere itself. */
export function createLentPort(port: number): LentPort {
  const server = createNodeServer();
  // What an HTTP server does when it begins to listen: from here on it watches over the times of its connections.
  server.emit('listening');
  return {
    port,
    handOver: () => server,
    release: () => void server.close(),
    take: (socket) => {
      socket.allowHalfOpen = true; // a caller may have said all it has to say and still wait
      server.emit('connection', socket);
      socket.resume();
    },
  };
}
