import { describeWithRealParts, getRedis, type RealRedis } from '@weir/testing';
import { describeChangeNotices } from './conformance/change-notices.conformance';
import { describeProcessReports } from './conformance/process-reports.conformance';
import { describeReplyCache } from './conformance/reply-cache.conformance';
import { describeWatermarkStore } from './conformance/watermark-store.conformance';
import { createRedis, type Redis } from './client/create-redis';
import { createRedisChangeNotices } from './create-redis-change-notices';
import { createRedisProcessReports } from './create-redis-process-reports';
import { createRedisReplyCache } from './create-redis-reply-cache';
import { createRedisWatermarkStore } from './create-redis-watermark-store';

jest.setTimeout(30_000);

describeWithRealParts(['redis'], 'redis stores', () => {
  let server: RealRedis;
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
    const found = await getRedis();
    if (found === undefined) throw new Error('redis was found but could not be started');
    server = found;
  });
  afterAll(async () => {
    for (const redis of open) redis.disconnect();
    await server.stop();
  });

  describeWatermarkStore('redis', () => createRedisWatermarkStore(connect()));
  describeReplyCache('redis', async (bytesMax) => {
    const redis = connect();
    const left = await redis.keys('{weir:replies}:*');
    if (left.length > 0) await redis.del(left);
    return { cache: createRedisReplyCache(redis, { bytesMax }), pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };
  });
  describeProcessReports('redis', async () => {
    const redis = connect();
    const left = await redis.keys('{weir:process-reports}:*');
    if (left.length > 0) await redis.del(left);
    return { reports: createRedisProcessReports(redis), pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };
  });
  describeChangeNotices('redis', () => createRedisChangeNotices(connect(), connect()));

  it('raises a watermark correctly when many processes report at once', async () => {
    const stores = Array.from({ length: 4 }, () => createRedisWatermarkStore(connect()));

    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        (stores[index % 4] ?? createRedisWatermarkStore(connect())).publish(new Map([['writer', BigInt((index * 37) % 200)]])),
      ),
    );

    expect(await stores[0]?.read('writer')).toBe(199n);
  });

  it('says that there may be news after the connection of a subscriber was lost', async () => {
    const subscriber = connect();
    const notices = createRedisChangeNotices(connect(), subscriber);
    let report: () => void = () => undefined;
    const reported = new Promise<void>((resolve) => {
      report = resolve;
    });
    const end = await notices.subscribe(() => Promise.resolve(report()));

    await connect().call('CLIENT', 'KILL', 'TYPE', 'pubsub');

    await reported; // no one has notified
    expect(lines.filter((line) => line.includes('cannot be reached'))).toEqual([]);
    await end();
  });

  it('fails a command soon and logs one line when Redis cannot be reached', async () => {
    lines.length = 0;
    const away = connect('redis://127.0.0.1:1');
    const startedAt = Date.now();

    await expect(createRedisWatermarkStore(away).read('writer')).rejects.toThrow();
    await expect(createRedisWatermarkStore(away).publish(new Map([['writer', 1n]]))).rejects.toThrow();

    expect(Date.now() - startedAt).toBeLessThan(5_000);
    expect(lines).toEqual([expect.stringMatching(/^waiting for Redis at [\w.:, ]+: it cannot be reached$/)]);
  });

  it('lets a process subscribe while Redis cannot be reached', async () => {
    const notices = createRedisChangeNotices(connect('redis://127.0.0.1:1'), connect('redis://127.0.0.1:1'));

    const end = await notices.subscribe(() => Promise.resolve());

    await expect(notices.notify()).rejects.toThrow();
    await end();
  });
});
