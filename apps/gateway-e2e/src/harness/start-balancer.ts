import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type Balancer = {
  readonly port: number;
  /** Resolves when new connections go to a backend again: a rolling replacement waits for it. */
  waitFor(backend: number): Promise<void>;
  stop(): Promise<void>;
};

const LOOK_EVERY_MS = 150;
const MISSES_MAX = 3;

/**
 * What a Kubernetes Service does: each new connection goes to one of the backends that say they are ready, in turn;
 * connections that exist stay where they are.
 */
export async function startBalancer(backends: readonly number[]): Promise<Balancer> {
  /** How often in a row each backend has failed to answer; one that says it is not ready is believed at once. */
  const misses = new Map<number, number>(backends.map((backend) => [backend, MISSES_MAX]));
  let next = 0;
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const look = async (backend: number): Promise<void> => {
    const status = await readStatus(backend);
    misses.set(backend, status === 200 ? 0 : status === undefined ? (misses.get(backend) ?? 0) + 1 : MISSES_MAX);
  };
  const listReady = (): number[] => backends.filter((backend) => (misses.get(backend) ?? 0) < MISSES_MAX);
  const server = createServer((client) => {
    track(client);
    const ready = listReady();
    const backend = ready[(next += 1) % Math.max(1, ready.length)];
    if (backend === undefined) return void client.destroy();
    const upstream = track(connect(backend, '127.0.0.1'));
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroySoon());
  });
  server.on('connection', (socket) => socket.setNoDelay(true));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const timer = setInterval(() => backends.forEach((backend) => void look(backend)), LOOK_EVERY_MS);
  return {
    port: (server.address() as AddressInfo).port,
    waitFor: async (backend) => {
      while (!listReady().includes(backend)) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    },
    stop: () => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** What a backend says of itself; undefined when it says nothing in time. */
function readStatus(port: number): Promise<number | undefined> {
  return fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(3000) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => undefined,
  );
}
