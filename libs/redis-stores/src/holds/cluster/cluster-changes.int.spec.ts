import { setTimeout as pause } from 'node:timers/promises';
import { monthlyScope } from '@weir/limits';
import { describeWithRealParts, getRedisCluster, waitUntil, type RealRedisCluster } from '@weir/testing';
import { createRedis } from '../../client/create-redis';
import { slotOf } from '../../client/create-script';
import { RedisCluster } from '../../client/redis-cluster';
import { createRedisHoldStore, type RedisHoldStore } from '../create-redis-hold-store';
import { moveSlot, organizationAt } from './__fixtures__/cluster-nodes';
import { HoldLoad, type LoadCounts } from './__fixtures__/hold-load';
import { COMMON, markOf } from './cluster-scripts';

jest.setTimeout(120_000);

describeWithRealParts(['redis-cluster'], 'holds while a redis cluster changes', () => {
  let server: RealRedisCluster;
  let opened: { redis: RedisCluster; store: RedisHoldStore }[] = [];
  let load: HoldLoad;
  let running: Promise<unknown>;
  const log = { info: () => undefined, warn: () => undefined };
  const scope = monthlyScope('key', 'k', Date.now());
  const max = 40_000_000n;
  const connect = (): { redis: RedisCluster; store: RedisHoldStore } => {
    const redis = createRedis(server.url, log);
    if (!(redis instanceof RedisCluster)) throw new Error('this is no cluster');
    return { redis, store: createRedisHoldStore(redis, log) };
  };
  const countsOf = (organizationId: string): LoadCounts => load.counts.get(organizationId) as LoadCounts;
  const redis = (): RedisCluster => (opened[0] as (typeof opened)[number]).redis;

  /** One organization on each of the nodes, asked for from three edges, as soon as all are served. */
  async function begin(): Promise<readonly string[]> {
    const [worker, ...edges] = opened.map(({ store }) => store);
    load = new HoldLoad({ edges, worker: worker as RedisHoldStore, scope, max });
    const organizations = server.nodes.map(({ port }) => organizationAt(redis(), port));
    running = Promise.all(organizations.map((organizationId) => load.run(organizationId)));
    running.catch(() => undefined);
    await waitUntil('all are served', () => organizations.every((organizationId) => countsOf(organizationId).held > 20));
    return organizations;
  }

  /** Serving again, and in the end nothing that was taken is unknown to the counters. */
  async function end(organizations: readonly string[]): Promise<void> {
    for (const organizationId of organizations) {
      const { held, refused } = countsOf(organizationId);
      await waitUntil('it is served again', () => countsOf(organizationId).held + countsOf(organizationId).refused > held + refused + 20);
    }
    load.stop();
    await running;
    await pause(200);
    await load.reportAll();
    for (const organizationId of organizations) {
      const counted = (await (opened[0] as (typeof opened)[number]).store.readTaken(organizationId, [scope])).get(scope) ?? 0n;
      expect(counted).toBeGreaterThanOrEqual(load.takenOf(organizationId));
      expect(load.takenOf(organizationId)).toBeLessThanOrEqual(max);
    }
  }

  beforeEach(async () => {
    const found = await getRedisCluster();
    if (found === undefined) throw new Error('redis-server was found but no cluster could be started');
    server = found;
    opened = Array.from({ length: 4 }, connect);
    await Promise.all(opened.map(({ store }) => store.whenTrusted(10_000)));
  });
  afterEach(async () => {
    load.stop();
    await running.catch(() => undefined);
    for (const each of opened) {
      each.store.close();
      each.redis.disconnect();
    }
    await server.stop();
  });

  /** Ports of two nodes of which the first has nothing that all organizations share. */
  function pickNodes(): { readonly port: number; readonly other: number; readonly at: number } {
    const common = redis().ownerOf(slotOf(COMMON))?.options.port;
    const at = server.nodes.findIndex(({ port }) => port !== common);
    const { port } = server.nodes[at] as RealRedisCluster['nodes'][number];
    return { port, at, other: server.nodes.find((node) => node.port !== port)?.port ?? 0 };
  }

  it('are not overspent when a slot moves under load; its organization waits, the others do not', async () => {
    const organizations = await begin();
    const { port, other, at } = pickNodes();
    const moved = organizations[at] as string;
    const others = organizations.filter((each) => each !== moved);
    const slot = slotOf(markOf(moved));
    const awayBefore = others.map((each) => countsOf(each).away);

    await moveSlot(redis(), { slot, from: port, to: other, onHalf: () => pause(300) });

    await waitUntil('what has moved is refused', () => countsOf(moved).away > 0);
    await end(organizations);
    expect(others.map((each) => countsOf(each).away)).toEqual(awayBefore);
    expect(opened.map((each) => each.redis.ownerOf(slot)?.options.port)).toEqual(opened.map(() => other));
  });

  it.each(['is killed and comes back empty', 'hangs'])(
    'are not overspent when a node %s under load; only what it has is away',
    async (how) => {
      const organizations = await begin();
      const { at } = pickNodes();
      const node = server.nodes[at] as RealRedisCluster['nodes'][number];
      const lost = organizations[at] as string;
      const others = organizations.filter((each) => each !== lost);
      const before = { ...countsOf(lost) };
      const decided = (each: string): number => countsOf(each).held + countsOf(each).refused;
      const servedBefore = others.map(decided);

      if (how === 'hangs') node.pause();
      else await node.kill();
      await pause(1_500);
      const away = { ...countsOf(lost) };
      if (how === 'hangs') node.resume();
      else await node.start();

      expect(away.away).toBeGreaterThan(before.away);
      expect(away.held).toBeLessThan(before.held + 20);
      others.forEach((each, index) => expect(decided(each)).toBeGreaterThan((servedBefore[index] ?? 0) + 50));
      await end(organizations);
    },
  );

  it('say clearly that the node of these counters is away', async () => {
    const organizations = await begin();
    const { at } = pickNodes();
    await (server.nodes[at] as RealRedisCluster['nodes'][number]).kill();
    const store = (opened[1] as (typeof opened)[number]).store;
    const organizationId = organizations[at] as string;
    const ask = async () =>
      store.reserve({ organizationId, holdId: 'asked', ttlMs: 1_000, limits: [{ scope, max }], amounts: [1_000n], leasts: [1_000n] });

    await expect(ask()).rejects.toMatchObject({ name: 'HoldsUnavailableError', message: expect.stringMatching(/reached|node/) as string });
  });
});
