import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: a service that is started again finds its port free. */
const FIRST_PORT = 12_000;
const LAST_PORT = 31_999;
const TRIES_MAX = 200;

const given = new Set<number>();

/** Returns a port of 127.0.0.1 that nothing listens on, each only once in this process. Rejects when 200 in a row are taken. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT + 1));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no port between ${FIRST_PORT} and ${LAST_PORT} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
