import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Balancer = {
  readonly port: number;
  /** Resolves when new connections go to a backend again: a rolling replacement waits for it. */
  waitFor(backend: number): Promise<void>;
  stop(): Promise<void>;
};

const LOOK_EVERY_MS = 150;
const LOOK_TIMEOUT_MS = 3000;
const MISSES_MAX = 3;
/** What `/readyz` names as the only problem of a process on its way out. */
const DRAINING = 'shutting down';

type Backend = { readonly port: number; misses: number };

/**
 * What a Kubernetes Service does: each new connection goes to one of the backends that are ready, in turn; connections that
 * exist stay where they are. One that is on its way out gets no more of them from then on; one that is late, or not ready for
 * another reason, only after that was so three times in a row: a busy machine makes all of them late at once.
 */
export async function startBalancer(backends: readonly number[]): Promise<Balancer> {
  const all = backends.map((port): Backend => ({ port, misses: MISSES_MAX }));
  let next = 0;
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const look = async (backend: Backend): Promise<void> => {
    const state = await readState(backend.port);
    backend.misses = state === 'ready' ? 0 : state === 'draining' ? MISSES_MAX : backend.misses + 1;
  };
  const listReady = (): Backend[] => all.filter(({ misses }) => misses < MISSES_MAX);
  const server = createServer((client) => {
    track(client);
    const ready = listReady();
    const backend = ready[(next += 1) % Math.max(1, ready.length)];
    if (backend === undefined) {
      process.stderr.write(`balancer of ${backends.join(', ')}: no backend is ready, a connection is refused\n`);
      return void client.destroy();
    }
    const upstream = track(connect(backend.port, '127.0.0.1'));
    upstream.once('error', (error) => process.stderr.write(`balancer of ${backends.join(', ')}: ${error.message} at ${backend.port}\n`));
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroySoon());
  });
  server.on('connection', (socket) => socket.setNoDelay(true));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let isStopped = false;
  const keepLooking = async (backend: Backend): Promise<void> => {
    while (!isStopped) {
      await look(backend);
      await pause(LOOK_EVERY_MS);
    }
  };
  const looking = all.map(keepLooking);
  return {
    port: (server.address() as AddressInfo).port,
    waitFor: async (backend) => {
      while (!listReady().some(({ port }) => port === backend)) await pause(LOOK_EVERY_MS);
    },
    stop: async () => {
      isStopped = true;
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all(looking);
    },
  };
}

type BackendState = 'ready' | 'draining' | 'unready';

/** What a backend says of itself. */
async function readState(port: number): Promise<BackendState> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(LOOK_TIMEOUT_MS),
    });
    const text = await reply.text();
    if (reply.status === 200) return 'ready';
    return text.includes(DRAINING) ? 'draining' : 'unready';
  } catch {
    return 'unready';
  }
}
