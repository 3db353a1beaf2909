import type { AddressInfo, Server } from 'node:net';

/** Connections that wait to be accepted, as far as the system allows it: with few, callers who come at once wait for seconds. */
const BACKLOG = 4096;

/** Listens and resolves to the port; rejects when it cannot be had. */
export function listenOn(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
