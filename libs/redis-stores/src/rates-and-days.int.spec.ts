import { setTimeout as wait } from 'node:timers/promises';
import { createFallbackRateLimiter } from '@weir/limits';
import { describeWithRealParts, getRedis, type RealRedis } from '@weir/testing';
import { describeFreeModelDays } from './conformance/free-model-days.conformance';
import { describeRateLimiter } from './conformance/rate-limiter.conformance';
import { createCircuit } from './create-circuit';
import { createRedis, type Redis } from './client/create-redis';
import { createScript } from './client/create-script';
import { createRedisFreeModelDays } from './create-redis-free-model-days';
import { startRedisPresence } from './create-redis-presence';
import { createRedisRateLimiter } from './create-redis-rate-limiter';

jest.setTimeout(30_000);

function spendTime(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

describeWithRealParts(['redis'], 'rates and free-model days in redis', () => {
  let server: RealRedis;
  const log = { info: () => undefined, warn: () => undefined };
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
  afterEach(() => {
    for (const redis of open.splice(0)) redis.disconnect();
  });
  afterAll(() => server.stop());

  describeRateLimiter('redis', () => createRedisRateLimiter(connect()));
  describeFreeModelDays('redis', (options) => createRedisFreeModelDays({ redis: connect(), ...options }));

  const nowMs = async (redis: Redis): Promise<number> => {
    const [seconds, micros] = await redis.time();
    return Number(seconds) * 1000 + Number(micros) / 1000;
  };

  it.each([
    [10, 600],
    [50, 3_000],
  ])('at %i a second, 64 clients through 4 processes whose clocks are wrong get what the rate says, to 2 %%', async (_, perMinute) => {
    const clock = connect();
    const processes = Array.from({ length: 4 }, () => createRedisRateLimiter(connect()));
    const dateNow = Date.now;
    // Each client believes in another time, up to five seconds off.
    const skewed = jest.spyOn(Date, 'now').mockImplementation(() => dateNow() + (Math.random() - 0.5) * 10_000);
    const member = `accuracy-${perMinute}`;
    const startMs = await nowMs(clock);
    let allowed = 0;
    let isOver = false;
    const clients = Array.from({ length: 64 }, async (_client, at) => {
      while (!isOver) {
        const verdict = await (processes[at % 4] as (typeof processes)[number]).take(member, perMinute);
        if (verdict.isAllowed) allowed += 1;
        else await wait(1);
      }
    });
    await wait(1_500);
    isOver = true;
    await Promise.all(clients);
    const elapsedMs = (await nowMs(clock)) - startMs;
    skewed.mockRestore();

    const most = perMinute + (elapsedMs * perMinute) / 60_000;
    expect(allowed).toBeLessThanOrEqual(Math.floor(most));
    expect(allowed).toBeGreaterThanOrEqual(Math.floor(most * 0.98) - 1);
  });

  it('goes on limiting, soon, when Redis cannot be reached, each router with its part', async () => {
    // Time stands still: none is asked again because a second has passed.
    const circuit = createCircuit({ now: () => 0 });
    let asked = 0;
    const away = createRedisRateLimiter(connect('redis://127.0.0.1:1'), (call) =>
      circuit(() => {
        asked += 1;
        return call();
      }),
    );
    let decidedHere = 0;
    const limiter = createFallbackRateLimiter({
      shared: away,
      liveRouters: () => 2,
      now: () => performance.now(),
      onFallback: () => {
        decidedHere += 1;
      },
    });
    const verdicts = [];
    for (let count = 0; count < 20; count += 1) verdicts.push(await limiter.take('member', 20));

    expect(asked).toBe(5);
    expect(verdicts.filter(({ isAllowed }) => isAllowed)).toHaveLength(10);
    expect(decidedHere).toBe(20);
  });

  it('refuses no one for the lateness of this process, however little of the processor it gets', async () => {
    const redis = connect();
    const script = createScript(redis, 'return 1').prepare(['weir:test'], { isTimed: true });
    await script('');
    const circuit = createCircuit({ timeoutMs: 15, now: () => performance.now() });
    const ends: string[] = [];
    const asked: Promise<void>[] = [];
    // Each turn of the loop takes longer than the store may: what is asked in one is sent behind it.
    for (let turn = 0; turn < 40; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      asked.push(circuit(() => script('')).then(...(['replied', 'refused'] as const).map((end) => () => void ends.push(end))));
      spendTime(20);
    }
    await Promise.all(asked);
    expect(ends).toEqual(Array<string>(40).fill('replied'));
  });

  it('refuses soon when Redis falls silent while this process listens', async () => {
    const redis = connect();
    const other = connect();
    const circuit = createCircuit({ timeoutMs: 15, now: () => performance.now() });
    await redis.ping();
    await other.client('PAUSE', 2_000, 'ALL');
    const beganMs = performance.now();
    await expect(circuit(() => redis.ping())).rejects.toThrow('within 15 ms');
    const tookMs = performance.now() - beganMs;
    expect(tookMs).toBeGreaterThanOrEqual(14);
    expect(tookMs).toBeLessThan(1_000);
  });

  it('processes know how many they are, and forget who left or died', async () => {
    const start = (id: string) => startRedisPresence({ redis: connect(), role: 'test', id, everyMs: 50 });
    const [one, two] = [await start('one'), await start('two')];
    await connect().zadd('weir:presence:test', 1, 'long dead');
    const until = async (count: number): Promise<void> => {
      const deadline = performance.now() + 5_000;
      while (one.count() !== count && performance.now() < deadline) await wait(10);
      expect(one.count()).toBe(count);
    };
    await until(2);
    await two.stop();
    await until(1);
    await one.stop();
  });
});
