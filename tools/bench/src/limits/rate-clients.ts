// Forked by measure-rates.ts: clients of one process that ask for one member's rate as fast as they are answered.
import { createRedis, createRedisRateLimiter } from '@weir/redis-stores';
import { setTimeout as wait } from 'node:timers/promises';

export type RateJob = {
  readonly redisUrl: string;
  readonly member: string;
  readonly perMinute: number;
  readonly clients: number;
  /** By how much this process is wrong about the time of day. */
  readonly skewMs: number;
};

/** Sent to the parent when the process is connected, and regularly; `isSaturated` once a client was refused. */
export type RateCount = { readonly allowed: number; readonly asked: number; readonly isSaturated: boolean; readonly isOver: boolean };

const silent = { info: () => undefined, warn: () => undefined };

async function run(job: RateJob): Promise<void> {
  const dateNow = Date.now;
  Date.now = () => dateNow() + job.skewMs;
  const redis = createRedis(job.redisUrl, silent);
  const limiter = createRedisRateLimiter(redis);
  await redis.ping();
  const count = { allowed: 0, asked: 0, isSaturated: false, isOver: false };
  process.send?.(count);
  await new Promise((resolve) => process.once('message', resolve));
  let isOver = false;
  process.once('message', () => (isOver = true));
  const report = setInterval(() => process.send?.(count), 50);
  await Promise.all(
    Array.from({ length: job.clients }, async () => {
      while (!isOver) {
        const { isAllowed } = await limiter.take(job.member, job.perMinute);
        count.asked += 1;
        if (isAllowed) count.allowed += 1;
        else {
          count.isSaturated = true;
          await wait(1); // so that refusals leave the others something of the machine
        }
      }
    }),
  );
  clearInterval(report);
  process.send?.({ ...count, isOver: true });
  redis.disconnect();
  process.disconnect();
}

process.once('message', (job: RateJob) => {
  run(job).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
