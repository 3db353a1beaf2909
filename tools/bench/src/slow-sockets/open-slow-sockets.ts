import { connect, type Socket } from 'node:net';

type SlowSockets = {
  /** How many are open. */
  countOpen(): number;
  /** Milliseconds from the first connection until the last one was closed by the other side. */
  readonly closed: Promise<number>;
  stop(): void;
};

type SlowSocketsOptions = { readonly port: number; readonly count: number; readonly perAddress: number };

const HEAD = 'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-slow: ';
/** Of every three: says nothing at all, stops in the middle of its head, sends a byte of it every second. */
const BEGINNINGS = ['', 'POST /v1/chat/comp', HEAD];
const TRICKLE_EVERY_MS = 1000;

/** Opens connections that never finish the head of a request, so many from each address of the loopback network. */
export async function openSlowSockets({ port, count, perAddress }: SlowSocketsOptions): Promise<SlowSockets> {
  const open = new Set<Socket>();
  const startedAt = performance.now();
  let isClosed = (_ms: number): void => undefined;
  const closed = new Promise<number>((resolve) => (isClosed = resolve));
  const trickling: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = await openFrom(`127.0.1.${1 + Math.floor(index / perAddress)}`, port);
    open.add(socket);
    socket.on('close', () => {
      open.delete(socket);
      if (open.size === 0) isClosed(performance.now() - startedAt);
    });
    const beginning = BEGINNINGS[index % BEGINNINGS.length] as string;
    if (beginning !== '') socket.write(beginning);
    if (beginning === HEAD) trickling.push(socket);
  }
  const timer = setInterval(() => trickling.forEach((socket) => socket.writable && socket.write('z')), TRICKLE_EVERY_MS);
  return {
    countOpen: () => open.size,
    closed: closed.finally(() => clearInterval(timer)),
    stop: () => {
      clearInterval(timer);
      for (const socket of open) socket.destroy();
    },
  };
}

/** A connection out of an address of this machine's own. */
export function openFrom(localAddress: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    socket.once('error', reject);
    socket.once('connect', () => resolve(socket.resume()));
  });
}
