import { randomUUID } from 'node:crypto';
import { BALANCE_SCOPE, monthlyScope, nameLimitScope, type HoldStore, type ReserveRequest } from '@weir/limits';
import { describeWithRealParts, getRedis, type RealRedis } from '@weir/testing';
import { describeHoldStore } from '../conformance/hold-store.conformance';
import { runHoldModel } from '../conformance/hold-model.conformance';
import { readModelRuns } from '../conformance/hold-model-runs.conformance';
import { createRedis, type Redis } from '../client/create-redis';
import { createRedisHoldStore, type RedisHoldStore } from './create-redis-hold-store';

jest.setTimeout(process.env['HOLD_MODEL'] === undefined ? 60_000 : 1_800_000);

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
  type Asked = Partial<ReserveRequest> & { readonly amount?: bigint };
  const reserve = (store: HoldStore, organizationId: string, { amount = 1_000_000n, ...more }: Asked = {}) => {
    const limits = more.limits ?? [{ scope, max: 10_000_000n }];
    const amounts = limits.map(() => amount);
    return store.reserve({ organizationId, holdId: randomUUID(), amounts, leasts: amounts, ttlMs: 60_000, ...more, limits });
  };

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
    await runHoldModel(
      () => {
        let passedMs = 0;
        const { redis } = at(0);
        const now = (): number => Date.now() + passedMs;
        const store = createRedisHoldStore(redis, log, { now });
        opened.push({ redis, store });
        return {
          store: () => store,
          now,
          pass: (ms) => void (passedMs += ms),
          expire: () => new Promise((resolve) => setTimeout(resolve, 3)),
          empty: async (organizationId) => {
            const keys = await redis.keys(`*${organizationId}*`);
            if (keys.length > 0) await redis.del(...keys);
          },
          givesBackAtOnce: false,
        };
      },
      readModelRuns({ seeds: 3, operations: 250 }, process.env['HOLD_MODEL']),
    );
  });

  it('fill a limit exactly when four processes take from it at once', async () => {
    const organizationId = randomUUID();
    await at(0).store.seed(organizationId, [{ scope, base: 0n, version: 0n }]);
    const results = await Promise.all(Array.from({ length: 400 }, async (_, index) => reserve(at(index % 4).store, organizationId)));
    expect(results.filter(({ kind }) => kind === 'held')).toHaveLength(10);
    expect(await at(0).store.readTaken(organizationId, [scope])).toEqual(new Map([[scope, 10_000_000n]]));
  });

  it('round up what is finer than a nano-dollar, and a limit down: never over, by less than one a hold', async () => {
    const organizationId = randomUUID();
    await at(0).store.seed(organizationId, [{ scope, base: 1n, version: 1n }]);
    const limits = [{ scope, max: 3_999n }];
    expect(await reserve(at(0).store, organizationId, { amount: 1_001n, limits })).toEqual({
      kind: 'held',
      amounts: [1_001n],
    });
    expect(await reserve(at(0).store, organizationId, { amount: 1n, limits })).toEqual({
      kind: 'refused',
      scope,
      remaining: 0n,
    });
  });

  it('stay under limits of tens of millions of dollars, beyond what a double holds exactly', async () => {
    const organizationId = randomUUID();
    const max = 40_000_000n * 10n ** 12n;
    const left = 1_000_000n;
    await at(0).store.seed(organizationId, [{ scope, base: max - left, version: 1n }]);
    const limits = [{ scope, max }];
    for (let tries = 0; tries < 20; tries += 1) await reserve(at(0).store, organizationId, { amount: 100_000n, limits });
    const taken = (await at(0).store.readTaken(organizationId, [scope])).get(scope) ?? 0n;
    expect(taken <= max).toBe(true);
  });

  it('leave keys in one slot of a cluster, that end some time after their month; the balance stays', async () => {
    const organizationId = randomUUID();
    const scopes = [scope, BALANCE_SCOPE];
    await at(0).store.seed(
      organizationId,
      scopes.map((name) => ({ scope: name, base: 0n, version: 0n })),
    );
    await reserve(at(0).store, organizationId, { limits: scopes.map((name) => ({ scope: name, max: 10_000_000n })) });
    const { redis } = at(0);
    const keys = (await redis.keys(`*${organizationId}*`)).sort();
    expect(keys).toHaveLength(4);
    expect(keys.every((key) => key.includes(`{${organizationId}}`))).toBe(true);
    for (const key of keys) {
      const ttlMs = await redis.pttl(key);
      expect(ttlMs > 39 * 86_400_000).toBe(!key.includes(BALANCE_SCOPE));
    }
  });

  it('leave no key of a limit that lasts for ever, whatever wrote it first', async () => {
    const organizationId = randomUUID();
    const limitId = randomUUID();
    const part = { limitId, partition: '-', startMs: null } as const;
    const total = nameLimitScope({ ...part, measure: 'tokens', window: 'total' });
    const running = nameLimitScope({ ...part, measure: 'concurrent_requests', window: null });
    const minute = nameLimitScope({ ...part, measure: 'usd', window: 'minute', startMs: Math.floor(Date.now() / 60_000) * 60_000 });
    const scopes = [total, running, minute];
    const lost = { organizationId, holdId: 'lost', scopes };
    const { redis, store } = at(0);
    const lives = async (): Promise<number[]> => {
      const keys = (await redis.keys(`*${organizationId}*`)).sort();
      return Promise.all(keys.map(async (key) => Math.round((await redis.pttl(key)) / 3_600_000)));
    };

    await store.register({ ...lost, spent: [5n, 0n, 5n] });
    expect(await lives()).toEqual([40 * 24, 1]);
    await store.renew({ ...lost, holdId: 'running', amounts: [5n, 1n, 5n] }, 60_000);
    expect(await lives()).toEqual([24, 24, 40 * 24, 40 * 24, 1, 1]);
    await redis.flushall();
    await Promise.all(opened.slice(0, 4).map((each) => each.store.whenTrusted(10_000)));
    await new Promise((resolve) => setTimeout(resolve, 600)).then(() => store.whenTrusted(10_000));
    await store.seed(
      organizationId,
      scopes.map((name) => ({ scope: name, base: 0n, version: 0n })),
    );
    await reserve(store, organizationId, { limits: scopes.map((name) => ({ scope: name, max: 10_000_000n })) });
    await redis.persist((await redis.keys(`*${running}`))[0] ?? '');
    await reserve(store, organizationId, { limits: [{ scope: running, max: 10_000_000n }] });
    expect(await lives()).toEqual([24, 24, 40 * 24, 40 * 24, 1, 1]);
  });

  it('list scopes until they are over, those of versions before as well', async () => {
    let nowMs = Date.now();
    const { redis } = at(0);
    const store = createRedisHoldStore(redis, log, { now: () => nowMs });
    opened.push({ redis, store });
    await store.whenTrusted(10_000);
    const organizationId = randomUUID();
    const minute = nameLimitScope({
      ...{ limitId: randomUUID(), partition: '-', measure: 'usd', window: 'minute' },
      startMs: nowMs - (nowMs % 60_000),
    });
    const total = nameLimitScope({ ...{ limitId: randomUUID(), partition: '-', measure: 'usd', window: 'total', startMs: null } });
    const unused = nameLimitScope({ ...{ limitId: randomUUID(), partition: '-', measure: 'usd', window: 'total', startMs: null } });
    await store.seed(
      organizationId,
      [minute, total, unused, scope].map((name) => ({ scope: name, base: 0n, version: 0n })),
    );
    await redis.sadd('weir:holds:scopes', `${organizationId} ${BALANCE_SCOPE}`, `${organizationId} key:k:2020-01`);
    const listed = async () =>
      (await store.listScopes())
        .filter((each) => each.organizationId === organizationId)
        .map((each) => each.scope)
        .sort();
    expect(await listed()).toEqual([minute, total, unused, scope, BALANCE_SCOPE].sort());
    nowMs += 2 * 3_600_000;
    expect(await listed()).toEqual([total, unused, scope, BALANCE_SCOPE].sort());
    await redis.del(`weir:{${organizationId}}:hold:${unused}`);
    nowMs += 41 * 86_400_000;
    expect(await listed()).toContain(total);
    expect(await listed()).not.toContain(unused);
    expect(await redis.smembers('weir:holds:scopes')).not.toContain(`${organizationId} key:k:2020-01`);
  });

  it('trust nothing after the server was emptied until workers had time to report, and then are seeded anew', async () => {
    const organizationId = randomUUID();
    const [edge, worker] = [at(0).store, at(1).store];
    await edge.seed(organizationId, [{ scope, base: 0n, version: 0n }]);
    await reserve(edge, organizationId, { holdId: 'running', amount: 6_000_000n });
    const reported = new Promise<void>((resolve) => {
      const end = worker.onLoss(() => {
        end();
        resolve(worker.renew({ organizationId, holdId: 'running', scopes: [scope], amounts: [6_000_000n] }, 60_000));
      });
    });

    await at(2).redis.flushall();

    await expect(reserve(edge, organizationId)).rejects.toThrow(/built anew/);
    await expect(reserve(at(3).store, organizationId)).rejects.toThrow(/built anew/);
    await reported;
    await Promise.all([edge.whenTrusted(10_000), at(3).store.whenTrusted(10_000)]);
    expect(await reserve(edge, organizationId)).toMatchObject({ kind: 'unseeded' });
    await Promise.all([0, 3].map((index) => at(index).store.seed(organizationId, [{ scope, base: 3_000_000n, version: 4n }])));
    const results = [await reserve(edge, organizationId), await reserve(at(3).store, organizationId)];
    expect(results.map(({ kind }) => kind)).toEqual(['held', 'refused']);
  });

  it('are not seeded with what was read before the server was emptied', async () => {
    const organizationId = randomUUID();
    const { redis, store } = at(0);
    const asked = await reserve(store, organizationId);
    if (asked.kind !== 'unseeded') throw new Error('no one has seeded it yet');
    const older = [{ scope, base: 3_000_000n, version: 4n }];
    await redis.flushall();
    await expect(reserve(store, organizationId)).rejects.toThrow(/built anew/);
    await store.whenTrusted(10_000);

    await store.seed(organizationId, older, asked.generation);
    const again = await reserve(store, organizationId);
    expect(again).toEqual({ kind: 'unseeded', scopes: [scope], generation: expect.not.stringMatching(`^${asked.generation}$`) as string });
    await store.seed(organizationId, older, again.kind === 'unseeded' ? again.generation : '');
    expect((await reserve(store, organizationId)).kind).toBe('held');
  });

  it('are not to be had while the server is away', async () => {
    const redis = createRedis('redis://127.0.0.1:1', log);
    const store = createRedisHoldStore(redis, log);
    opened.push({ redis, store });

    await expect(reserve(store, randomUUID())).rejects.toMatchObject({ name: 'HoldsUnavailableError' });
  });
});
