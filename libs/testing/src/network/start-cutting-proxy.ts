import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Throttle } from './throttle';

export type ProxyMode =
  | { readonly kind: 'pass' }
  /** New connections end at once, those there are are cut. */
  | { readonly kind: 'refuse' }
  /** The same with a reset instead of an orderly end. */
  | { readonly kind: 'rst' }
  /** Everything is accepted and nothing arrives, in either direction. */
  | { readonly kind: 'blackhole' }
  | { readonly kind: 'latency'; readonly ms: number }
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  /** Each connection is reset after so many bytes of the answer. */
  | { readonly kind: 'cut-after'; readonly bytes: number };

export type CuttingProxy = {
  readonly port: number;
  setMode(mode: ProxyMode): void;
  /** Resets the connections there are; the mode stays. */
  cut(): void;
  stop(): Promise<void>;
};

type Pair = { readonly client: Socket; readonly server: Socket; answered: number };

const PASS: ProxyMode = { kind: 'pass' };

/** Stands before a part, on a port of 127.0.0.1, and damages what goes through it as the test asks. */
export async function startCuttingProxy(targetPort: number, host = '127.0.0.1'): Promise<CuttingProxy> {
  const pairs = new Set<Pair>();
  let mode: ProxyMode = PASS;
  const cut = (): void => {
    for (const pair of pairs) end(pair);
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.on('error', () => undefined);
    if (mode.kind === 'refuse') return void client.destroy();
    if (mode.kind === 'rst') return void client.resetAndDestroy();
    const pair: Pair = {
      client,
      server: connect({ port: targetPort, host, allowHalfOpen: true, noDelay: true }),
      answered: 0,
    };
    pairs.add(pair);
    join(pair, () => mode);
    const forget = (): void => {
      pairs.delete(pair);
      end(pair);
    };
    client.once('close', forget);
    pair.server.once('close', forget);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    setMode: (wanted) => {
      mode = wanted;
      if (wanted.kind === 'refuse' || wanted.kind === 'rst') cut();
    },
    cut,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}

function end({ client, server }: Pair): void {
  if (!client.destroyed) client.resetAndDestroy();
  server.destroy();
}

function join(pair: Pair, getMode: () => ProxyMode): void {
  pair.server.on('error', () => undefined);
  carry({ from: pair.client, to: pair.server, onCarried: () => undefined }, getMode);
  const onCarried = (bytes: number): void => {
    pair.answered += bytes;
    const mode = getMode();
    if (mode.kind === 'cut-after' && pair.answered >= mode.bytes) end(pair);
  };
  carry({ from: pair.server, to: pair.client, onCarried }, getMode);
}

type Way = { readonly from: Socket; readonly to: Socket; readonly onCarried: (bytes: number) => void };

/** Moves bytes one way, in order, each piece by the mode that is in force when it comes. */
function carry({ from, to, onCarried }: Way, getMode: () => ProxyMode): void {
  const throttle = new Throttle();
  let last: Promise<void> = Promise.resolve();
  /** Pieces that wait: whatever comes next stays behind them, also when the mode no longer holds it back. */
  let waiting = 0;
  const write = (chunk: Buffer): void => {
    if (to.destroyed) return;
    if (!to.write(chunk)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
    onCarried(chunk.length);
  };
  from.on('data', (chunk: Buffer) => {
    const mode = getMode();
    if (mode.kind === 'blackhole') return;
    const isHeldBack = mode.kind === 'latency' || mode.kind === 'throttle';
    if (!isHeldBack && waiting === 0) return write(chunk);
    const wait = mode.kind === 'latency' ? mode.ms : mode.kind === 'throttle' ? throttle.reserve(chunk.length, mode.bytesPerSecond) : 0;
    const due = wait === 0 ? undefined : new Promise<void>((resolve) => setTimeout(resolve, wait));
    waiting += 1;
    last = Promise.all([last, due]).then(() => {
      waiting -= 1;
      write(chunk);
    });
  });
  from.on('end', () => void last.then(() => (getMode().kind === 'blackhole' ? undefined : to.end())));
}
