import { randomUUID } from 'node:crypto';
import { describeWithRealParts, getRedisCluster, type RealRedisCluster } from '@weir/testing';
import { describeChangeNotices } from './conformance/change-notices.conformance';
import { describeFreeModelDays } from './conformance/free-model-days.conformance';
import { describeProcessReports } from './conformance/process-reports.conformance';
import { describeRateLimiter } from './conformance/rate-limiter.conformance';
import { describeWatermarkStore } from './conformance/watermark-store.conformance';
import { createCircuit } from './create-circuit';
import { createRedis, type Redis } from './client/create-redis';
import type { RedisCluster } from './client/redis-cluster';
import { createRedisCatalogBoard } from './create-redis-catalog-board';
import { createRedisChangeNotices } from './create-redis-change-notices';
import { createRedisFreeModelDays } from './create-redis-free-model-days';
import { createRedisPassportUses } from './create-redis-passport-uses';
import { startRedisPresence } from './create-redis-presence';
import { createRedisProcessReports } from './create-redis-process-reports';
import { createRedisRateLimiter } from './create-redis-rate-limiter';
import { createRedisReplyCache } from './create-redis-reply-cache';
import { createRedisWatermarkStore } from './create-redis-watermark-store';

jest.setTimeout(30_000);

describeWithRealParts(['redis-cluster'], 'redis stores in a cluster', () => {
  let server: RealRedisCluster;
  const lines: string[] = [];
  const log = {
    info: (_: object, message: string) => void lines.push(message),
    warn: (_: object, message: string) => void lines.push(message),
  };
  const open: Redis[] = [];
  const connect = (url = server.url): Redis => {
    const redis = createRedis(url, log);
    open.push(redis);
    return redis;
  };

  beforeAll(async () => {
    const found = await getRedisCluster();
    if (found === undefined) throw new Error('redis-server was found but no cluster could be started');
    server = found;
  });
  afterAll(async () => {
    for (const redis of open) redis.disconnect();
    await server.stop();
  });

  describeWatermarkStore('a redis cluster', () => createRedisWatermarkStore(connect()));
  describeProcessReports('a redis cluster', async () => {
    const redis = connect();
    await redis.ping(); // its nodes are known from then on
    const left = (await Promise.all((redis as RedisCluster).nodes('master').map((node) => node.keys('{weir:process-reports}:*')))).flat();
    if (left.length > 0) await redis.del(left);
    return { reports: createRedisProcessReports(redis), pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };
  });
  describeChangeNotices(
    'a redis cluster',
    () => createRedisChangeNotices(connect(), connect()),
    () => passNotices(connect() as RedisCluster),
  );
  describeRateLimiter('a redis cluster', () => createRedisRateLimiter(connect()));
  describeFreeModelDays('a redis cluster', (options) => createRedisFreeModelDays({ redis: connect(), ...options }));

  it('keeps replies on all nodes, each part within its bound', async () => {
    const redis = connect() as RedisCluster;
    const cache = createRedisReplyCache(redis, { bytesMax: 16 * 1000 });
    const names = Array.from({ length: 200 }, () => randomUUID());
    for (const name of names) await cache.keep(name, Buffer.from(`reply to ${name}`), 60_000);

    const found = await Promise.all(names.map(async (name) => Buffer.from((await cache.find(name)) ?? []).toString()));
    const kept = found.filter((reply) => reply !== '');
    expect(kept.length).toBeGreaterThan(100);
    found.forEach((reply, index) => expect(['', `reply to ${names[index]}`]).toContain(reply));
    const sizes = await Promise.all(redis.nodes('master').map((node) => node.dbsize()));
    expect(Math.min(...sizes)).toBeGreaterThan(10);
    await cache.keep('too large for a part', Buffer.alloc(1_001), 60_000);
    expect(await cache.find('too large for a part')).toBeUndefined();
  });

  it('publishes both parts of the catalogue together', async () => {
    const board = createRedisCatalogBoard(connect());
    const state = { id: 7, digest: 'd', documents: [] } as unknown as Parameters<typeof board.publish>[0];
    await board.publish(state);

    expect([await board.newest(), await board.read()]).toEqual([{ id: 7, digest: 'd' }, state]);
  });

  it('lets a passport be used once, by whichever of many workers is first', async () => {
    const workers = Array.from({ length: 4 }, () =>
      createRedisPassportUses({
        ...{ redis: connect(), own: { claim: () => true }, now: Date.now },
        circuit: createCircuit({ timeoutMs: 2_000, now: () => performance.now(), isApart: true }),
        onUnshared: () => lines.push('unshared'),
      }),
    );
    const ids = Array.from({ length: 20 }, () => randomUUID());
    const claims = await Promise.all(ids.map((id) => Promise.all(workers.map(async (worker) => worker.claim(id, Date.now() + 60_000)))));

    expect(claims.map((each) => each.filter(Boolean).length)).toEqual(ids.map(() => 1));
    expect(lines).not.toContain('unshared');
  });

  it('counts processes', async () => {
    const start = (id: string) => startRedisPresence({ redis: connect(), role: 'test', id, everyMs: 50 });
    const [one, two] = [await start('one'), await start('two')];
    expect(two.count()).toBe(2);
    await Promise.all([one.stop(), two.stop()]);
  });

  it('fails a command soon and logs one line when no node can be reached', async () => {
    lines.length = 0;
    const away = connect('redis+cluster://127.0.0.1:1');
    const startedAt = Date.now();

    for (let tries = 0; tries < 3; tries += 1) await expect(createRedisWatermarkStore(away).read('writer')).rejects.toThrow();

    expect(Date.now() - startedAt).toBeLessThan(5_000);
    expect(lines).toEqual([expect.stringMatching(/^waiting for Redis at [\w.:, ]+: it cannot be reached$/)]);
  });
});

const MARKS = 'weir:marks';

/** Nodes pass notices on to each other after they have replied, in order: what was under way has arrived when all marks are heard by all. */
async function passNotices(cluster: RedisCluster): Promise<void> {
  await cluster.ping(); // its nodes are known from then on
  const nodes = cluster.nodes('master');
  const marks = nodes.map(() => randomUUID());
  const subscribers = nodes.map((node) => node.duplicate());
  const heard = subscribers.map((subscriber) => {
    const missing = new Set<string>(marks);
    return new Promise<void>((resolve) => {
      subscriber.on('message', (_channel: string, mark: string) => {
        missing.delete(mark);
        if (missing.size === 0) resolve();
      });
    });
  });
  await Promise.all(subscribers.map((subscriber) => subscriber.subscribe(MARKS)));
  await Promise.all(nodes.map((node, at) => node.publish(MARKS, marks[at] as string)));
  await Promise.all(heard);
  for (const subscriber of subscribers) subscriber.disconnect();
}
