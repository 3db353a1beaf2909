import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP address that passes everything on, until it is told to lose its connections or to swallow what is sent. */
export type CuttableProxy = {
  readonly port: number;
  /** Breaks every connection and accepts none. */
  refuse(): void;
  /** Keeps connections open and lets nothing through. */
  swallow(): void;
  restore(): void;
  stop(): Promise<void>;
};

export async function startCuttableProxy(target: { host: string; port: number }): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  let mode: 'pass' | 'refuse' | 'swallow' = 'pass';
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    track(client);
    if (mode === 'refuse') return void client.destroy();
    const upstream = track(connect(target));
    client.on('data', (chunk) => mode === 'pass' && upstream.write(chunk));
    upstream.on('data', (chunk) => mode === 'pass' && client.write(chunk));
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    refuse: () => {
      mode = 'refuse';
      breakAll();
    },
    swallow: () => {
      mode = 'swallow';
    },
    restore: () => {
      mode = 'pass';
      breakAll(); // what was swallowed is lost: both sides begin anew
    },
    stop: () => {
      breakAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
