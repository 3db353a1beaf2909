import { randomUUID } from 'node:crypto';
import { describeWithRealParts, getRedis, type RealRedis } from '@weir/testing';
import { createCircuit } from './create-circuit';
import { createRedis } from './create-redis';
import { createRedisPassportUses, type UsedPassports } from './create-redis-passport-uses';

jest.setTimeout(30_000);

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
