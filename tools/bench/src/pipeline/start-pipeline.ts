import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess, type RunningProcess } from '@weir/gateway-e2e';
import { createTopics, startKafka } from '@weir/kafka';
import { endWithProcess, getRedis } from '@weir/testing';
import { nextMessage, stopChild } from '../measure/start-child';
import { readCpuTime } from '../measure/cpu-time';
import { readPeakMebibytes } from '../measure/peak-memory';
import { startDatabase, type BenchDatabase } from '../usage/start-database';
import type { FeederReply, FeederJob } from './feeder-job';

/** Everything between a worker's journal and the rollups, real and of this measurement alone. */
export type Pipeline = {
  readonly database: BenchDatabase['database'];
  readonly brokers: string;
  readonly redisUrl: string;
  /** For a journal; removed in the end. */
  readonly directory: string;
  /** Starts the built usage-aggregator as so many processes and waits until they have joined their group. */
  startAggregators(count: number): Promise<void>;
  /** Starts a feeder; its answer comes when all of it is published. */
  feed(job: FeederJob): Promise<FeederReply>;
  /** How many events are committed, of all writers. */
  countCommitted(): Promise<number>;
  /** How many transactions took them. */
  countTransactions(): Promise<number>;
  /** CPU microseconds used so far by each process; none where the system does not report it. */
  readCpu(): Readonly<Record<string, number>>;
  /** The most memory that any of the aggregators has had, in MiB; zero where the system does not report it. */
  readPeakMemory(): number;
  stop(): Promise<void>;
};

export async function startPipeline(): Promise<Pipeline> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-pipeline-'));
  const stops: (() => Promise<void>)[] = [() => rm(directory, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const redis = await getRedis();
    if (redis === undefined) throw new Error('no Redis can be had: put redis-server on the PATH or set TEST_REDIS_URL');
    stops.push(() => redis.stop());
    const postgres = await startDatabase();
    stops.push(() => postgres.stop());
    const kafka = await startKafka({ directory: join(directory, 'kafka') });
    const ending = endWithProcess(kafka.pid);
    stops.push(() => {
      ending.release();
      return kafka.stop();
    });
    await createTopics(kafka.brokers);
    return describePipeline({ directory, postgres, redisUrl: redis.url, kafka, stops, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

type Standing = {
  readonly directory: string;
  readonly postgres: BenchDatabase;
  readonly redisUrl: string;
  readonly kafka: { readonly brokers: string; readonly pid: number };
  readonly stops: (() => Promise<void>)[];
  readonly stop: () => Promise<void>;
};

function describePipeline({ directory, postgres, redisUrl, kafka, stops, stop }: Standing): Pipeline {
  const { database } = postgres;
  const aggregators: RunningProcess[] = [];
  let feeder: ChildProcess | undefined;
  const countOf = async (sql: string): Promise<number> =>
    Number((await database.pool.query<{ count: string | null }>(sql)).rows[0]?.count ?? 0);
  return {
    database,
    brokers: kafka.brokers,
    redisUrl,
    directory,
    startAggregators: async (count) => {
      const started = Array.from({ length: count }, () => startAggregator({ databaseUrl: postgres.url, redisUrl, brokers: kafka.brokers }));
      aggregators.push(...started);
      for (const one of started) stops.push(async () => void (await one.terminate()));
      await Promise.all(started.map((one) => one.waitFor(/usage-aggregator listens/)));
    },
    feed: async (job) => {
      const child = fork(join(__dirname, 'feeder.js'));
      feeder = child;
      stops.push(() => stopChild(child));
      const answer = nextMessage<FeederReply>(child, 'feeder');
      child.send(job);
      return answer;
    },
    countCommitted: () => countOf('SELECT sum(upper(seen))::text AS count FROM usage_writer'),
    countTransactions: () => countOf('SELECT count(DISTINCT xmin::text)::text AS count FROM usage_event'),
    readCpu: () => {
      const groups = { feeder: [feeder?.pid], aggregator: aggregators.map(({ child }) => child.pid), Postgres: [postgres.pid] };
      return Object.fromEntries(
        Object.entries({ ...groups, Kafka: [kafka.pid] }).flatMap(([name, pids]) => {
          const used = pids.flatMap((pid) => (pid === undefined ? [] : (readCpuTime(pid) ?? [])));
          return used.length === 0 ? [] : [[name, used.reduce((sum, one) => sum + one.ownMicroseconds + one.childrenMicroseconds, 0)]];
        }),
      );
    },
    readPeakMemory: () => Math.max(0, ...aggregators.map(({ child }) => readPeakMebibytes(child.pid as number) ?? 0)),
    stop,
  };
}

type Addresses = { readonly databaseUrl: string; readonly redisUrl: string; readonly brokers: string };

/** With the young generation that its image gives it. */
function startAggregator({ databaseUrl, redisUrl, brokers }: Addresses): RunningProcess {
  return runProcess('apps/usage-aggregator/dist/main.js', {
    NODE_OPTIONS: '--max-semi-space-size=64',
    PORT: '0',
    METRICS_PORT: '0',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    KAFKA_BROKERS: brokers,
  });
}
