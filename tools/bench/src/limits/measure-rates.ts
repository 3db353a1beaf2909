import { createRedis, createRedisRateLimiter, type Redis } from '@weir/redis-stores';
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RateCount, RateJob } from './rate-clients';

type RateFigures = {
  readonly perSecond: number;
  readonly seconds: number;
  readonly asked: number;
  readonly allowed: number;
  /** What `rate * time + burst` allows. */
  readonly most: number;
};

const PROCESSES = 4;
const CLIENTS = 200;
const SATURATED_MS = 5_000;
const TAKES_MS_MAX = 30_000;
const SKEWS_MS = [-5_000, 0, 2_500, 5_000];
const silent = { info: () => undefined, warn: () => undefined };

/** Lets 200 clients in four processes, whose clocks are wrong, ask for one rate until it has been exhausted for five seconds. */
export async function measureRate(redisUrl: string, perSecond: number): Promise<RateFigures> {
  const redis = createRedis(redisUrl, silent);
  const job = { redisUrl, member: randomUUID(), perMinute: perSecond * 60, clients: CLIENTS / PROCESSES };
  const counts: RateCount[] = [];
  const children = SKEWS_MS.map((skewMs, index) => start({ ...job, skewMs }, (count) => (counts[index] = count)));
  const exits = children.map((child) => once(child, 'exit'));
  await waitFor('clients to connect', () => counts.filter(Boolean).length === PROCESSES);
  const startMs = await readClock(redis);
  for (const child of children) child.send('start');
  await waitFor('clients to ask for more than that', () => counts.some(({ isSaturated }) => isSaturated));
  await wait(SATURATED_MS);
  for (const child of children) child.send('stop');
  await waitFor('clients to end', () => counts.every(({ isOver }) => isOver));
  const seconds = ((await readClock(redis)) - startMs) / 1000;
  await Promise.all(exits);
  redis.disconnect();
  const sum = (of: (count: RateCount) => number): number => counts.reduce((total, count) => total + of(count), 0);
  return {
    ...{ perSecond, seconds, asked: sum(({ asked }) => asked), allowed: sum(({ allowed }) => allowed) },
    most: perSecond * 60 + seconds * perSecond,
  };
}

/** How many of the refused members that wait for `Retry-After` are served then; each sends one request a second. */
export async function measureRetries(redisUrl: string, members: number, retries: number): Promise<{ waited: number; served: number }> {
  const redis = createRedis(redisUrl, silent);
  const limiter = createRedisRateLimiter(redis);
  const reported = { waited: 0, served: 0 };
  await Promise.all(
    Array.from({ length: members }, async () => {
      const member = randomUUID();
      for (let retry = 0; retry < retries; retry += 1) {
        let verdict = await limiter.take(member, 60);
        while (verdict.isAllowed) verdict = await limiter.take(member, 60);
        // Retry-After is in whole seconds.
        await wait(Math.ceil(verdict.retryAfterMs / 1000) * 1000);
        reported.waited += 1;
        if ((await limiter.take(member, 60)).isAllowed) reported.served += 1;
      }
    }),
  );
  redis.disconnect();
  return reported;
}

async function waitFor(what: string, isThere: () => boolean): Promise<void> {
  for (const deadline = performance.now() + TAKES_MS_MAX; !isThere(); await wait(5)) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
  }
}

function start(job: RateJob, onCount: (count: RateCount) => void): ChildProcess {
  const child = fork(join(__dirname, 'rate-clients.js'));
  child.on('message', (count) => onCount(count as RateCount));
  child.send(job);
  return child;
}

async function readClock(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Number(micros) / 1000;
}
