import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@weir/embedded-postgres';
import { createTopics, findFreePort, startKafka, type RunningKafka } from '@weir/kafka';
import { endWithProcess, startCuttingProxy, type CuttingProxy } from '@weir/testing';
import { startRedisServer, type RunningRedis } from './start-redis-server';

export type PartName = 'postgres' | 'redis' | 'kafka';

/** A store or broker of the rig's own, behind a proxy: it can be killed, started again on its data, and cut off. */
type BreakablePart = {
  readonly proxy: CuttingProxy;
  /** kill -9. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** On the data and the port it had. */
  start(): Promise<void>;
  /** Removes its data; only while it is down. */
  wipe(): Promise<void>;
  stop(): Promise<void>;
};

export type BreakableParts = Readonly<Record<PartName, BreakablePart>> & {
  /** The addresses that services use: through the proxies. */
  readonly addresses: { readonly databaseUrl: string; readonly redisUrl: string; readonly brokers: string };
  /** For the rig itself: straight to the database. */
  readonly databaseUrl: string;
  stop(): Promise<void>;
};

/** Starts a Postgres that waits for its disk, a Redis that keeps nothing and a Kafka, each behind a proxy. */
export async function startBreakableParts(directory: string): Promise<BreakableParts> {
  await mkdir(directory, { recursive: true });
  const [postgres, redis, kafka] = await Promise.all([
    openPostgres(join(directory, 'postgres')),
    openRedis(join(directory, 'redis')),
    openKafka(join(directory, 'kafka')),
  ]);
  const throughProxy = new URL(postgres.url);
  throughProxy.port = String(postgres.proxy.port);
  return {
    postgres,
    redis,
    kafka,
    addresses: {
      databaseUrl: throughProxy.toString(),
      redisUrl: `redis://127.0.0.1:${redis.proxy.port}`,
      brokers: `127.0.0.1:${kafka.proxy.port}`,
    },
    databaseUrl: postgres.url,
    stop: async () => void (await Promise.all([postgres.stop(), redis.stop(), kafka.stop()])),
  };
}

/** A time zone in which every mistake about time zones shows. */
const SETTINGS = { max_connections: '200', timezone: 'America/Sao_Paulo' };

async function openPostgres(directory: string): Promise<BreakablePart & { readonly url: string }> {
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ directory, settings: SETTINGS });
  let ending = endWithProcess(server.pid);
  const { port, url } = server;
  const proxy = await startCuttingProxy(port);
  return {
    url,
    proxy,
    kill: async () => {
      ending.release();
      await killAndWait(server.pid);
    },
    start: async () => {
      server = await startEmbeddedPostgres({ directory, port, settings: SETTINGS });
      ending = endWithProcess(server.pid);
    },
    wipe: () => Promise.reject(new Error('Postgres is the truth: wiping it proves nothing')),
    stop: async () => {
      ending.release();
      await proxy.stop();
      await server.stop();
    },
  };
}

async function openRedis(directory: string): Promise<BreakablePart> {
  const port = await findFreePort();
  let server: RunningRedis = await startRedisServer(directory, port);
  const proxy = await startCuttingProxy(port);
  return {
    proxy,
    kill: () => server.kill(),
    start: async () => {
      server = await startRedisServer(directory, port);
    },
    wipe: () => Promise.resolve(), // it keeps nothing
    stop: async () => {
      await proxy.stop();
      await server.kill();
    },
  };
}

async function openKafka(directory: string): Promise<BreakablePart> {
  const port = await findFreePort();
  const proxy = await startCuttingProxy(port);
  const start = async (): Promise<RunningKafka> => {
    const running = await startKafka({ directory, port, advertisedPort: proxy.port });
    ending = endWithProcess(running.pid);
    return running;
  };
  let ending = { release: (): void => undefined };
  let broker = await start();
  await createTopics(broker.brokers);
  let isWiped = false;
  return {
    proxy,
    kill: () => {
      ending.release();
      return broker.kill();
    },
    start: async () => {
      broker = await start();
      if (isWiped) await createTopics(broker.brokers);
      isWiped = false;
    },
    wipe: async () => {
      await rm(join(directory, 'data'), { recursive: true, force: true });
      isWiped = true;
    },
    stop: async () => {
      ending.release();
      await proxy.stop();
      await broker.kill();
    },
  };
}

async function killAndWait(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
