// A worker's half of the pipeline as a process of its own: meter, journal, publisher. One message says what to do.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { NO_USAGE } from '@weir/canonical';
import type { Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { createKafkaUsageBus } from '@weir/event-bus';
import { createRedis, createRedisHoldStore, createRedisWatermarkStore } from '@weir/redis-stores';
import { createLogger } from '@weir/telemetry';
import { openMetering, type Metering, type OpenAttempt, type Meter } from '@weir/meter';
import { buildPayload } from '../usage/build-batch';
import { createPassports } from './build-passport';
import { readClock, type FeederReply, type FeederJob } from './feeder-job';

const BATCH = 2_000;
const TICK_MS = 10;
/** How long an answer takes: so many attempts are open at any time as a worker has. */
const ANSWER_MS = 300;
const SETTLE_MS = 20_000;
const JOURNAL_BYTES_MAX = 2 ** 30;
const SEGMENT_BYTES_MAX = 64 * 2 ** 20;

const log = createLogger({ service: 'feeder', level: 'warn', destination: process.stderr });

process.once('message', (job: FeederJob) => {
  const cpu = process.cpuUsage();
  const work = job.kind === 'backlog' ? fillBus(job) : stream(job);
  void work.then((endedAt) => {
    const { user, system } = process.cpuUsage(cpu);
    process.send?.({ endedAt, cpuMicroseconds: user + system } satisfies FeederReply);
  });
});
process.once('disconnect', () => process.exit());

/** What piles up while no aggregator runs: whole batches, one writer after the other. */
async function fillBus({ brokers, events, writers }: Extract<FeederJob, { kind: 'backlog' }>): Promise<number[]> {
  const { publisher } = createKafkaUsageBus({ brokers, clientId: 'weir-bench', log });
  const writerIds = Array.from({ length: writers }, () => randomUUID());
  const each = Math.ceil(events / writers);
  for (let first = 0; first < each; first += BATCH) {
    for (const writerId of writerIds) {
      const batch = Array.from({ length: Math.min(BATCH, each - first) }, (_, index) => ({
        writerId,
        epoch: 1,
        sequence: BigInt(first + index),
        payload: buildPayload(first + index, Date.now()),
      }));
      await publisher.publish(batch);
    }
  }
  await publisher.close();
  return [];
}

type Running = { readonly attempt: OpenAttempt; readonly closeAt: number };

/** Opens and closes attempts at an even rate through everything a worker does for them. */
async function stream(job: Extract<FeederJob, { kind: 'stream' }>): Promise<number[]> {
  const redis = createRedis(job.redisUrl, log);
  const holdStore = createRedisHoldStore(redis, log);
  const bus = createKafkaUsageBus({ brokers: job.brokers, clientId: 'weir-bench', log });
  const metering = openMetering({
    directory: job.directory,
    durability: 'process',
    bytesMax: JOURNAL_BYTES_MAX,
    segmentBytesMax: SEGMENT_BYTES_MAX,
    resendAfterMs: 10 * 60_000,
    publish: (events) => bus.publisher.publish(events),
    watermarks: createRedisWatermarkStore(redis),
    log,
    onLost: () => undefined,
    onHarm: () => undefined,
    onFailure: () => process.exit(1),
    holds: { store: holdStore, ttlMs: 90_000 },
  });
  const endedAt = await feed(metering, job);
  await metering.drain(SETTLE_MS, 'published');
  await metering.close();
  await bus.publisher.close();
  holdStore.close();
  redis.disconnect();
  return endedAt;
}

async function feed({ meter }: Metering, { perSecond, seconds }: { perSecond: number; seconds: number }): Promise<number[]> {
  const passportOf = createPassports();
  const total = perSecond * seconds;
  const running: Running[] = [{ attempt: await openFirst(meter, passportOf(1)), closeAt: readClock() + ANSWER_MS }];
  const endedAt: number[] = [];
  const startedAt = readClock();
  let opened = running.length;
  const tick = (): void => {
    const now = readClock();
    for (const due = Math.min(total, ((now - startedAt) * perSecond) / 1000); opened < due; opened += 1) {
      running.push({ attempt: meter.openAttempt(passportOf(opened), 0, 200), closeAt: now + ANSWER_MS });
    }
    while (running[0] !== undefined && running[0].closeAt <= now) {
      const { attempt } = running.shift() as Running;
      attempt.noteFirstByte();
      attempt.close({ usage: usageOf(endedAt.length), status: 'ok', httpStatus: 200, errorOrigin: null, isLogical: true });
      endedAt.push(readClock());
    }
  };
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      tick();
      if (endedAt.length < total) return;
      clearInterval(timer);
      resolve(endedAt);
    }, TICK_MS);
  });
}

/** A worker that has just started has first to be known to the counters of limits. */
async function openFirst(meter: Meter, passport: Passport): Promise<OpenAttempt> {
  for (;;) {
    try {
      return meter.openAttempt(passport, 0, 200);
    } catch (error) {
      if (!(error instanceof GatewayError && error.code === 'dependency_down')) throw error;
      await pause(TICK_MS);
    }
  }
}

function usageOf(at: number): typeof NO_USAGE {
  return { ...NO_USAGE, inputUncached: 100 + (at % 900), cacheRead: (at % 4) * 100, output: 20 + (at % 300) };
}
