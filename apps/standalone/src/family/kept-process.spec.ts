import { createLogger } from '@weir/telemetry';
import { mkdtempSync, openSync, closeSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@weir/testing';
import { KeptProcess } from './kept-process';

type Ready = { readonly pid: number };

/** What a process of the gateway does, without the gateway: the link by hand, so that nothing has to be built. */
const CHILD = `
const { serialize, deserialize } = require('node:v8');
const link = new (require('node:net').Socket)({ fd: 4, readable: true, writable: true });
const say = (name, ...args) => {
  const body = serialize([[0, name, args]]);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  link.write(Buffer.concat([head, body]));
};
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => undefined);
link.on('end', () => process.exit(1));
link.on('data', (piece) => {
  for (const [, name, args] of deserialize(piece.subarray(4))) if (name === 'stop') process.exit(0);
});
process.on('message', ({ socket: took }, socket) => {
  process.send({ took });
  socket.end(String(process.pid));
});
if (process.argv[1].endsWith('fails.cjs')) process.exit(3);
if (process.argv[1].endsWith('says-why.cjs')) {
  say('failed', 'the port is taken');
  link.end(() => process.exit(1));
  return;
}
say('ready', { pid: process.pid });
`;

describe('a process in its place', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-kept-'));
  const lockFd = openSync(join(folder, 'lock'), 'w');
  const log = createLogger({ service: 'test', level: 'silent', destination: { write: () => undefined } });
  const seen: Ready[] = [];
  const returned: Socket[][] = [];
  let kept: KeptProcess<Ready>;
  const create = (name: string): KeptProcess<Ready> => {
    writeFileSync(join(folder, name), CHILD);
    return new KeptProcess<Ready>({
      ...{ name, script: join(folder, name), lockFd, log },
      brief: () => ({}),
      onLink: () => undefined,
      onReady: (ready) => void seen.push(ready),
      onGone: (gone) => void returned.push(gone.takeBack()),
    });
  };
  beforeEach(() => {
    seen.length = 0;
    returned.length = 0;
  });
  afterAll(() => {
    closeSync(lockFd);
    rmSync(folder, { recursive: true });
  });

  it('is replaced when it is killed, and by no one once it was asked to end', async () => {
    kept = create('lives.cjs');
    await kept.start();
    const [first] = seen;
    process.kill(first!.pid, 'SIGKILL');
    await waitUntil('another one is ready', () => seen.length === 2);
    expect(seen[1]!.pid).not.toBe(first!.pid);
    process.kill(seen[1]!.pid, 'SIGTERM'); // of a shell or a terminal, which send it to all
    await kept.stop(1_000);
    expect([kept.ready, seen.length]).toEqual([undefined, 2]);
    await kept.stop(0);
  });

  it('fails to start when the first one ends before it is ready', async () => {
    await expect(create('fails.cjs').start()).rejects.toThrow('fails.cjs ended as it started (code 3)');
  });

  it('fails to start with the reason that the process itself gave', async () => {
    await expect(create('says-why.cjs').start()).rejects.toThrow(/^the port is taken$/);
  });

  it('serves connections that this process accepted, and gives back those that it died before', async () => {
    kept = create('serves.cjs');
    await kept.start();
    const server = createServer({ pauseOnConnect: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const ask = async (): Promise<{ client: Socket; accepted: Socket }> => {
      const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      return { client, accepted: await accepted };
    };
    const { client, accepted } = await ask();
    kept.serve(accepted);
    const reply = await new Promise<string>((resolve) => client.once('data', (piece: Buffer) => resolve(piece.toString())));
    expect(reply).toBe(String(seen[0]!.pid));
    await waitUntil('its end here is closed', () => accepted.destroyed);

    const late = await ask();
    process.kill(seen[0]!.pid, 'SIGSTOP');
    kept.serve(late.accepted);
    process.kill(seen[0]!.pid, 'SIGKILL');
    await waitUntil('the connection comes back', () => returned.length === 1);
    expect(returned[0]).toEqual([late.accepted]);
    expect(late.accepted.destroyed).toBe(false);
    late.client.destroy();
    late.accepted.destroy();
    server.close();
    await waitUntil('another one is ready', () => seen.length === 2);
    await kept.stop(1_000);
  });
});
