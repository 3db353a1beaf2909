import { createLogger } from '@weir/telemetry';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createHealth } from './health';
import { startMetricsServer } from './start-metrics-server';

type Seen = {
  readonly path: string;
  readonly status: number;
  readonly body: { status?: string; problems?: string[] };
  readonly ms: number;
};

/** Asks for pages in a thread of its own, one after the other, and ends the block then. */
const ASKER = `
  const { workerData: { port, paths, delayMs, gate }, parentPort } = require('node:worker_threads');
  (async () => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const seen = [];
    for (const path of paths) {
      const begun = performance.now();
      const reply = await fetch('http://127.0.0.1:' + port + path, { signal: AbortSignal.timeout(10_000) });
      seen.push({ path, status: reply.status, body: JSON.parse(await reply.text()), ms: performance.now() - begun });
    }
    parentPort.postMessage(seen);
  })().finally(() => { Atomics.store(gate, 0, 1); Atomics.notify(gate, 0); });
`;

const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function open(silenceMsMax?: number) {
  const diskCalls = new Int32Array(new SharedArrayBuffer(4));
  const server = await startMetricsServer({
    ...{ port: { asked: 0, usual: 1 }, host: '127.0.0.1', health: createHealth({}), diskCalls },
    ...(silenceMsMax === undefined ? {} : { silenceMsMax }),
    writeMetrics: () => Promise.resolve('{}'),
    log: createLogger({ service: 'test', level: 'fatal', destination: { write: () => undefined } }),
  });
  stops.push(server.close);
  return { port: server.port, diskCalls };
}

/** Blocks this thread by `block` while another one asks for the pages, `delayMs` after the thread is there. */
async function askWhile(port: number, paths: readonly string[], block: (gate: Int32Array) => void, delayMs = 200): Promise<Seen[]> {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const asker = new Worker(ASKER, { eval: true, workerData: { port, paths, delayMs, gate } });
  stops.push(() => asker.terminate());
  await once(asker, 'online');
  block(gate);
  const [seen] = (await once(asker, 'message')) as [Seen[]];
  return seen;
}

/** As a call to a disk that does not reply. */
const waitFor = (gate: Int32Array): void => void Atomics.wait(gate, 0, 0, 30_000);

const spinUntil = (gate: Int32Array): void => {
  const last = performance.now() + 30_000;
  while (Atomics.load(gate, 0) === 0 && performance.now() < last);
};

describe('the port of metrics while the main thread has no turn', () => {
  it('says at /healthz that a process lives which waits for the disk, however long, and at /readyz that it does not serve', async () => {
    const { port, diskCalls } = await open(1);
    const waitForDisk = (gate: Int32Array): void => {
      Atomics.store(diskCalls, 0, 1);
      waitFor(gate);
      Atomics.store(diskCalls, 0, 0);
    };
    const seen = await askWhile(port, ['/healthz', '/healthz?verbose', '/readyz', '/metrics', '/healthz'], waitForDisk);

    expect(seen.map(({ status }) => status)).toEqual([200, 200, 503, 503, 200]);
    const [alive, verbose, notReady] = seen;
    expect([alive?.body.status, verbose?.body.status, notReady?.body.status]).toEqual(['alive', 'alive', 'not ready']);
    expect(notReady?.body.problems?.join()).toMatch(/the disk of the journal does not reply/);
    expect(alive?.ms).toBeLessThan(1000);
    expect(notReady?.ms).toBeLessThan(3000);

    // The disk goes on, and all is as it was.
    expect(await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()).toEqual({ status: 'alive' });
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  });

  it('says at /healthz that a process is stuck which waits for no disk and had no turn for too long', async () => {
    const { port } = await open(1000);
    const [stuck] = await askWhile(port, ['/healthz'], spinUntil, 1500);

    expect([stuck?.status, stuck?.body.status]).toEqual([503, 'stuck']);
    expect(stuck?.body.problems?.join()).toMatch(/busy for \d+ s/);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });

  it('says that a process lives whose turn is only long', async () => {
    const { port } = await open();
    expect((await askWhile(port, ['/healthz', '/readyz'], spinUntil)).map(({ status }) => status)).toEqual([200, 503]);
  });
});
