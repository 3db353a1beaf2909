import type { Socket } from 'node:net';

/** A process that serves connections. */
type Server = { readonly ready: unknown; serve(socket: Socket): void; takeBack(): Socket[] };

/** Gives connections to those that are ready, to each in its turn. */
export type ConnectionGiver = {
  give(socket: Socket): void;
  /** One is ready: those that waited are served. */
  look(): void;
  /** One is gone: the connections that it never took are given to others. */
  giveAgain(server: Server): void;
  close(): void;
};

/** While none is ready, no more wait than a system would keep by itself. */
const WAITING_MAX = 4_096;

export function createConnectionGiver(servers: readonly Server[]): ConnectionGiver {
  const waiting: Socket[] = [];
  let turn = 0;
  const give = (socket: Socket): void => {
    for (let tries = 0; tries < servers.length; tries += 1) {
      const server = servers[(turn = (turn + 1) % servers.length)];
      if (server?.ready !== undefined) return server.serve(socket);
    }
    if (waiting.length < WAITING_MAX) waiting.push(socket);
    else socket.destroy();
  };
  return {
    give,
    look: () => waiting.splice(0).forEach(give),
    giveAgain: (server) => server.takeBack().forEach(give),
    close: () => {
      for (const socket of waiting.splice(0)) socket.destroy();
    },
  };
}
