import { createServer } from 'node:net';
import { listenOn } from './listen-on';

type Place = { readonly port: number; readonly host: string; readonly setting: string };

const CANDIDATES = 20;
/** Below, only an administrator may listen. */
const FIRST_OPEN_PORT = 1024;

/** Says in one line why a service cannot listen, and what to set instead. Errors of other kinds come back as they are. */
export async function explainListening(error: unknown, place: Place): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException;
  const { port, host, setting } = place;
  if (code === 'EADDRINUSE') {
    return withCode(error, `port ${port} of ${host} is taken by another program (${code}). Stop it, or set ${await suggest(place)}.`);
  }
  if (code === 'EACCES') {
    return withCode(error, `this user may not listen on port ${port} of ${host} (${code}). Set ${await suggest(place)}.`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return withCode(
      error,
      `HOST=${host} is no address of this machine (${code}). Set HOST=127.0.0.1 for this machine alone, or HOST=0.0.0.0 for its network. ${setting} is ${port}.`,
    );
  }
  return error;
}

function withCode(cause: unknown, message: string): Error {
  return Object.assign(new Error(message, { cause }), { code: (cause as NodeJS.ErrnoException).code });
}

async function suggest({ port, host, setting }: Place): Promise<string> {
  const free = await findFreePort(port, host);
  return free === undefined ? `${setting} to a free one` : `${setting}=${free}, which is free`;
}

/** The next port that can be had at this moment; each is really tried. */
async function findFreePort(taken: number, host: string): Promise<number | undefined> {
  const first = Math.max(taken + 1, FIRST_OPEN_PORT);
  const candidates = Array.from({ length: CANDIDATES }, (_, at) => first + at).filter((port) => port <= 65_535);
  for (const port of [...candidates, 0]) {
    const found = await tryPort(port, host).catch(() => undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Listens on a port and gives it back. Rejects when it cannot be had. */
export async function tryPort(port: number, host: string): Promise<number> {
  const server = createServer();
  const found = await listenOn(server, port, host);
  await new Promise((resolve) => server.close(resolve));
  return found;
}
