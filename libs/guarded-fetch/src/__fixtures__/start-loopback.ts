import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Loopback = { readonly port: number; readonly hits: () => number; readonly stop: () => Promise<void> };

/** A server on a loopback address that counts connections, also those that never send anything. */
export async function startLoopback(answer: RequestListener, { host = '127.0.0.1', port = 0 } = {}): Promise<Loopback> {
  let hits = 0;
  const server: Server = createServer(answer);
  server.on('connection', () => (hits += 1));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    hits: () => hits,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
