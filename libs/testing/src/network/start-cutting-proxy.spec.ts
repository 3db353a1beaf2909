import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startCuttingProxy, type CuttingProxy } from './start-cutting-proxy';

let echo: Server;
let proxy: CuttingProxy;
const sockets: Socket[] = [];

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  proxy = await startCuttingProxy((echo.address() as AddressInfo).port);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await proxy.stop();
  await new Promise((resolve) => echo.close(resolve));
});

function open(): Socket {
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

/** `once` of node:events would reject over the reset that comes first. */
function whenClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

async function readBytes(socket: Socket, count: number): Promise<string> {
  let text = '';
  while (text.length < count) text += String((await once(socket, 'data'))[0]);
  return text;
}

describe('the cutting proxy', () => {
  it('passes bytes in order, at once, late or slowly', async () => {
    const socket = open();
    socket.write('at once');
    expect(await readBytes(socket, 7)).toBe('at once');
    for (const mode of [{ kind: 'latency', ms: 40 } as const, { kind: 'throttle', bytesPerSecond: 500 } as const]) {
      proxy.setMode(mode);
      const startedAt = performance.now();
      for (const piece of ['0123456789', 'abcdefghij']) socket.write(piece);
      expect(await readBytes(socket, 20)).toBe('0123456789abcdefghij');
      expect(performance.now() - startedAt).toBeGreaterThan(35);
    }
  });

  it('keeps the order of what it held back when it passes again', async () => {
    const socket = open();
    socket.write('x');
    await readBytes(socket, 1);
    proxy.setMode({ kind: 'throttle', bytesPerSecond: 50 });
    socket.write('held back');
    await new Promise((resolve) => setTimeout(resolve, 30));
    proxy.setMode({ kind: 'pass' });
    socket.write(' and after');
    expect(await readBytes(socket, 19)).toBe('held back and after');
  });

  it.each(['refuse', 'rst'] as const)('cuts what there is and lets no one in on %s, until it passes again', async (kind) => {
    const socket = open();
    socket.write('x');
    await readBytes(socket, 1);
    const closed = whenClosed(socket);
    proxy.setMode({ kind });
    await closed;
    await whenClosed(open());
    proxy.setMode({ kind: 'pass' });
    const again = open();
    again.write('y');
    expect(await readBytes(again, 1)).toBe('y');
  });

  it('swallows everything as a black hole and keeps the connection', async () => {
    proxy.setMode({ kind: 'blackhole' });
    const socket = open();
    let received = 0;
    socket.on('data', (bytes: Buffer) => (received += bytes.length));
    await once(socket, 'connect');
    socket.write('gone');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([received, socket.destroyed]).toEqual([0, false]);
  });

  it('cuts a connection after so many bytes of the answer', async () => {
    proxy.setMode({ kind: 'cut-after', bytes: 10 });
    const socket = open();
    const closed = whenClosed(socket);
    socket.on('data', () => socket.write('01234'));
    await once(socket, 'connect');
    socket.write('01234');
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});
