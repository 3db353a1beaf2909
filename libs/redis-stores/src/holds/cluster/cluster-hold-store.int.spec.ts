import { randomUUID } from 'node:crypto';
import { monthlyScope } from '@weir/limits';
import { describeWithRealParts, getRedisCluster, type RealRedisCluster } from '@weir/testing';
import { describeHoldStore } from '../../conformance/hold-store.conformance';
import { runHoldModel } from '../../conformance/hold-model.conformance';
import { readModelRuns } from '../../conformance/hold-model-runs.conformance';
import { createRedis } from '../../client/create-redis';
import { RedisCluster } from '../../client/redis-cluster';
import { createRedisHoldStore, type RedisHoldOptions, type RedisHoldStore } from '../create-redis-hold-store';
import { keysOfAll, organizationAt } from './__fixtures__/cluster-nodes';
import { markOf } from './cluster-scripts';

jest.setTimeout(process.env['HOLD_MODEL'] === undefined ? 60_000 : 1_800_000);

describeWithRealParts(['redis-cluster'], 'holds in a redis cluster', () => {
  let server: RealRedisCluster;
  const opened: { redis: RedisCluster; store: RedisHoldStore }[] = [];
  const log = { info: () => undefined, warn: () => undefined };
  const connect = (options: RedisHoldOptions = {}): { redis: RedisCluster; store: RedisHoldStore } => {
    const redis = createRedis(server.url, log);
    if (!(redis instanceof RedisCluster)) throw new Error('this is no cluster');
    const connected = { redis, store: createRedisHoldStore(redis, log, { writersBackMs: 0, ...options }) };
    opened.push(connected);
    return connected;
  };
  const at = (index: number) => opened[index] as { redis: RedisCluster; store: RedisHoldStore };
  const scope = monthlyScope('key', 'k', Date.now());

  beforeAll(async () => {
    const found = await getRedisCluster();
    if (found === undefined) throw new Error('redis-server was found but no cluster could be started');
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

  describeHoldStore('a redis cluster', () => ({ store: at(0).store, other: at(1).store }));

  it('are never over a limit, whatever comes twice, late or never', async () => {
    await runHoldModel(
      () => {
        let passedMs = 0;
        const now = (): number => Date.now() + passedMs;
        const { redis, store } = connect({ now });
        return {
          store: () => store,
          now,
          pass: (ms) => void (passedMs += ms),
          expire: () => new Promise((resolve) => setTimeout(resolve, 3)),
          empty: async (organizationId) => {
            for (const key of await keysOfAll(redis, `*${organizationId}*`)) if (key !== markOf(organizationId)) await redis.del(key);
          },
          givesBackAtOnce: false,
        };
      },
      readModelRuns({ seeds: 3, operations: 250 }, process.env['HOLD_MODEL']),
    );
  });

  it('fill limits exactly when four processes take from them at once, on whichever nodes they are', async () => {
    const organizations = server.nodes.map(({ port }) => organizationAt(at(0).redis, port));
    const held = await Promise.all(
      organizations.map(async (organizationId) => {
        await at(0).store.seed(organizationId, [{ scope, base: 0n, version: 0n }]);
        const results = await Promise.all(
          Array.from({ length: 200 }, async (_, index) => {
            const limits = [{ scope, max: 10_000_000n }];
            const amounts = [1_000_000n];
            return at(index % 4).store.reserve({ organizationId, holdId: randomUUID(), ttlMs: 60_000, limits, amounts, leasts: amounts });
          }),
        );
        return results.filter(({ kind }) => kind === 'held').length;
      }),
    );
    expect(held).toEqual([10, 10, 10]);
    const listed = await at(0).store.listScopes();
    for (const organizationId of organizations) expect(listed).toContainEqual({ organizationId, scope });
  });
});
