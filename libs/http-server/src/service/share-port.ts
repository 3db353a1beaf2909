import { createServer, type Socket } from 'node:net';
import { createNodeServer } from '../connections/create-node-server';
import { explainListening } from '../connections/explain-listening';
import { listenOn } from '../connections/listen-on';
import { createEarlyResponder } from './take-port';

/** A port whose connections are served by other processes. */
export type SharedPort = {
  readonly port: number;
  /** From now on every connection is given to `serve`, unread. What came before was answered that the service is starting. */
  giveTo(serve: (socket: Socket) => void): void;
  /** Refuses new connections. */
  close(): void;
};

/** Takes a port for processes that are still to be started, and responds there that they are not ready yet. */
export async function sharePort({ port, host }: { readonly port: number; readonly host: string }): Promise<SharedPort> {
  const early = createNodeServer();
  early.on('request', createEarlyResponder());
  let serve = (socket: Socket): void => {
    early.emit('connection', socket);
    socket.resume();
  };
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true });
  server.on('connection', (socket: Socket) => serve(socket));
  const taken = await listenOn(server, port, host).catch(async (error: unknown) => {
    throw await explainListening(error, { port, host, setting: 'PORT' });
  });
  return {
    port: taken,
    giveTo: (next) => {
      serve = next;
      early.close();
    },
    close: () => void server.close(),
  };
}
