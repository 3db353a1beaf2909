import { randomUUID } from 'node:crypto';
import { BALANCE_SCOPE, monthlyScope, type HoldStore } from '@weir/limits';
import { describeWithRealParts, getRedis, type RealRedis } from '@weir/testing';
import { describeHoldStore } from '../conformance/hold-store.conformance';
import { runHoldModel } from '../conformance/hold-model.conformance';
import { createRedis, type Redis } from '../client/create-redis';
import { createRedisHoldStore, type RedisHoldStore } from './create-redis-hold-store';

jest.setTimeout(60_000);

describeWithRealParts(['redis'], 'holds in redis', () => {
  let server: RealRedis;
  const opened: { redis: Redis; store: RedisHoldStore }[] = [];
  const log = { info: () => undefined, warn: () => undefined };
  const connect = (): { redis: Redis; store: RedisHoldStore } => {
    const redis = createRedis(server.url, log);
    const connected = { redis, store: createRedisHoldStore(redis, log) };
    opened.push(connected);
    return connected;
  };
  const scope = monthlyScope('key', 'k', Date.now());
  const reserve = (store: HoldStore, organizationId: string, more: object = {}) =>
    store.reserve({
      organizationId,
      holdId: randomUUID(),
      amountPico: 1_000_000n,
      leastPico: 1_000_000n,
      ttlMs: 60_000,
      limits: [{ scope, limitPico: 10_000_000n }],
      ...more,
    });

  beforeAll(async () => {
    const found = await getRedis();
    if (found === undefined) throw new Error('redis was found but could not be started');
    server = found;
    await Promise.all(Array.from({ length: 4 }, () => connect().store.whenTrusted(10_000)));
  });
  afterAll(async () => {
    for (const { redis, store } of opened) {
      store.close();
      redis.disconnect();
    }
    await server.stop();
  });
  const at = (index: number) => opened[index] as { redis: Redis; store: RedisHoldStore };

  describeHoldStore('redis', () => ({ store: at(0).store, other: at(1).store }));

  it('are never over a limit, whatever comes twice, late or never', async () => {
    await runHoldModel(() => at(0).store, { runs: 40, steps: 400, seed: 20_261_121 });
  });

  it('fill a limit exactly when four processes take from it at once', async () => {
    const organizationId = randomUUID();
    await at(0).store.seed(organizationId, [{ scope, basePico: 0n, version: 0n }]);
    const results = await Promise.all(Array.from({ length: 400 }, async (_, index) => reserve(at(index % 4).store, organizationId)));
    expect(results.filter(({ kind }) => kind === 'held')).toHaveLength(10);
    expect(await at(0).store.readTaken(organizationId, [scope])).toEqual(new Map([[scope, 10_000_000n]]));
  });

  it('round up what is finer than a nano-dollar, and a limit down: never over, by less than one a hold', async () => {
    const organizationId = randomUUID();
    await at(0).store.seed(organizationId, [{ scope, basePico: 1n, version: 1n }]);
    const limits = [{ scope, limitPico: 3_999n }];
    expect(await reserve(at(0).store, organizationId, { amountPico: 1_001n, leastPico: 1_001n, limits })).toEqual({
      kind: 'held',
      amountPico: 1_001n,
    });
    expect(await reserve(at(0).store, organizationId, { amountPico: 1n, leastPico: 1n, limits })).toEqual({
      kind: 'refused',
      scope,
      remainingPico: 0n,
    });
  });

  it('stay under limits of tens of millions of dollars, beyond what a double holds exactly', async () => {
    const organizationId = randomUUID();
    const limitPico = 40_000_000n * 10n ** 12n;
    const left = 1_000_000n;
    await at(0).store.seed(organizationId, [{ scope, basePico: limitPico - left, version: 1n }]);
    const limits = [{ scope, limitPico }];
    for (let tries = 0; tries < 20; tries += 1)
      await reserve(at(0).store, organizationId, { amountPico: 100_000n, leastPico: 100_000n, limits });
    const taken = (await at(0).store.readTaken(organizationId, [scope])).get(scope) ?? 0n;
    expect(taken <= limitPico).toBe(true);
  });

  it('leave keys in one slot of a cluster, that end some time after their month; the balance stays', async () => {
    const organizationId = randomUUID();
    const scopes = [scope, BALANCE_SCOPE];
    await at(0).store.seed(
      organizationId,
      scopes.map((name) => ({ scope: name, basePico: 0n, version: 0n })),
    );
    await reserve(at(0).store, organizationId, { limits: scopes.map((name) => ({ scope: name, limitPico: 10_000_000n })) });
    const { redis } = at(0);
    const keys = (await redis.keys(`*${organizationId}*`)).sort();
    expect(keys).toHaveLength(4);
    expect(keys.every((key) => key.includes(`{${organizationId}}`))).toBe(true);
    for (const key of keys) {
      const ttlMs = await redis.pttl(key);
      expect(ttlMs > 39 * 86_400_000).toBe(!key.includes(BALANCE_SCOPE));
    }
  });

  it('trust nothing after the server was emptied until workers had time to report, and then are seeded anew', async () => {
    const organizationId = randomUUID();
    const [edge, worker] = [at(0).store, at(1).store];
    await edge.seed(organizationId, [{ scope, basePico: 0n, version: 0n }]);
    await reserve(edge, organizationId, { holdId: 'running', amountPico: 6_000_000n, leastPico: 6_000_000n });
    const reported = new Promise<void>((resolve) => {
      const end = worker.onLoss(() => {
        end();
        resolve(worker.renew({ organizationId, holdId: 'running', scopes: [scope], amountPico: 6_000_000n }, 60_000));
      });
    });

    await at(2).redis.flushall();

    await expect(reserve(edge, organizationId)).rejects.toThrow(/built anew/);
    await expect(reserve(at(3).store, organizationId)).rejects.toThrow(/built anew/);
    await reported;
    await Promise.all([edge.whenTrusted(10_000), at(3).store.whenTrusted(10_000)]);
    expect(await reserve(edge, organizationId)).toMatchObject({ kind: 'unseeded' });
    await Promise.all([0, 3].map((index) => at(index).store.seed(organizationId, [{ scope, basePico: 3_000_000n, version: 4n }])));
    const results = [await reserve(edge, organizationId), await reserve(at(3).store, organizationId)];
    expect(results.map(({ kind }) => kind)).toEqual(['held', 'refused']);
  });

  it('are not to be had while the server is away', async () => {
    const redis = createRedis('redis://127.0.0.1:1', log);
    const store = createRedisHoldStore(redis, log);
    opened.push({ redis, store });

    await expect(reserve(store, randomUUID())).rejects.toMatchObject({ name: 'HoldsUnavailableError' });
  });
});
