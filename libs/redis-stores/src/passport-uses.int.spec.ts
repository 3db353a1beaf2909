import { randomUUID } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { describeWithRealParts, getRedis, type RealRedis } from '@weir/testing';
import { createCircuit } from './create-circuit';
import { createRedis } from './client/create-redis';
import { createRedisPassportUses, type UsedPassports } from './create-redis-passport-uses';

jest.setTimeout(30_000);

type ResettingProxy = { readonly url: string; readonly resets: () => number; close(): void };

/** Passes everything on to a Redis server, but resets the connection instead of the first reply to a SET. */
async function startResettingProxy(target: string): Promise<ResettingProxy> {
  let resets = 0;
  const { hostname, port } = new URL(target);
  const proxy: Server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isSetAsked = false;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    client.on('data', (bytes) => {
      isSetAsked ||= /\bset\r\n/i.test(bytes.toString('latin1'));
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!isSetAsked || resets > 0) return void client.write(bytes);
      resets += 1;
      end();
    });
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    resets: () => resets,
    close: () => void proxy.close(),
  };
}

describeWithRealParts(['redis'], 'used passports in redis', () => {
  let server: RealRedis;
  const closers: (() => void)[] = [];
  let unshared = 0;

  /** A worker of its own, which has seen nothing yet. */
  const startWorker = (url = server.url): UsedPassports => {
    const redis = createRedis(url, { info: () => undefined, warn: () => undefined });
    closers.push(() => redis.disconnect());
    const seen = new Set<string>();
    const own = { claim: (id: string): boolean => !seen.has(id) && seen.add(id).has(id) };
    const circuit = createCircuit({ timeoutMs: 2_000, now: () => performance.now() });
    return createRedisPassportUses({ redis, circuit, own, now: Date.now, onUnshared: () => (unshared += 1) });
  };

  beforeAll(async () => {
    const found = await getRedis();
    if (found === undefined) throw new Error('redis was found but could not be started');
    server = found;
  });
  beforeEach(() => (unshared = 0));
  afterEach(() => closers.splice(0).forEach((close) => close()));
  afterAll(() => server.stop());

  it('are used once, by whichever of many workers is first', async () => {
    const workers = Array.from({ length: 4 }, () => startWorker());
    const id = randomUUID();
    const until = Date.now() + 60_000;
    const claims = await Promise.all(workers.map(async (worker) => worker.claim(id, until)));

    expect(claims.filter(Boolean)).toHaveLength(1);
    expect([await startWorker().claim(id, until), await startWorker().claim(randomUUID(), until), unshared]).toEqual([false, true, 0]);
  });

  it('are used for the first time also when the connection is reset before the reply came', async () => {
    const proxy = await startResettingProxy(server.url);
    closers.push(() => proxy.close());
    const worker = startWorker(proxy.url);
    const id = randomUUID();
    const until = Date.now() + 60_000;

    expect([await worker.claim(id, until), proxy.resets(), unshared]).toEqual([true, 1, 0]);
    expect([await startWorker().claim(id, until), await startWorker(proxy.url).claim(id, until)]).toEqual([false, false]);
  });

  it('are forgotten when they are worth nothing any more', async () => {
    const redis = createRedis(server.url, { info: () => undefined, warn: () => undefined });
    closers.push(() => redis.disconnect());
    const id = randomUUID();
    await startWorker().claim(id, Date.now() + 60_000);
    const ttl = await redis.pttl(`weir:passport:${id}`);

    expect([ttl > 50_000, ttl <= 60_000]).toEqual([true, true]);
  });

  it('are those of the worker itself while redis is away, which is reported', async () => {
    const worker = startWorker('redis://127.0.0.1:1');
    const id = randomUUID();
    const until = Date.now() + 60_000;

    expect([await worker.claim(id, until), await worker.claim(id, until), unshared]).toEqual([true, false, 1]);
  });
});
