import { runProcess, type RunningProcess } from '@weir/gateway-e2e';
import { getPostgres, getRedis, startCuttingProxy, type CuttingProxy } from '@weir/testing';

export type Edges = {
  /** One edge-router process each. */
  readonly urls: readonly string[];
  readonly managementUrl: string;
  readonly administratorKey: string;
  /** Between the edges and the Redis that publishes changes to them; only the management-api reaches it directly. */
  readonly pushProxy: CuttingProxy;
  stop(): Promise<void>;
};

const ADMINISTRATOR_KEY = 'bench-administrator-key-0123456789';
const SECRETS = { KEY_PEPPER: 'bench-pepper-0123456789-0123456789-01' };
const NOWHERE = 'http://127.0.0.1:9';

/** Starts the built services as processes: one management-api and `count` edge-routers, with real Postgres and Redis. */
export async function startEdges(count: number): Promise<Edges> {
  const [postgres, redis] = await Promise.all([getPostgres(), getRedis()]);
  if (redis === undefined) throw new Error('no Redis can be had: put redis-server on the PATH or set TEST_REDIS_URL');
  const pushProxy = await startCuttingProxy(Number(new URL(redis.url).port));
  const shared = {
    ...SECRETS,
    PORT: '0',
    METRICS_PORT: '0',
    DATABASE_URL: await postgres.createDatabase(),
    LOG_LEVEL: 'info',
    DRAIN_TIMEOUT_MS: '1000',
  };
  const processes: RunningProcess[] = [];
  const start = async (service: string, env: Record<string, string>): Promise<string> => {
    const process = runProcess(`apps/${service}/dist/main.js`, { ...shared, ...env });
    processes.push(process);
    const [, port] = await process.waitFor(new RegExp(`"port":(\\d+).*${service} listens`));
    return `http://127.0.0.1:${port}`;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(processes.map((process) => process.terminate()));
    await pushProxy.stop();
    await redis.stop();
    await postgres.stop();
  };
  try {
    const managementUrl = await start('management-api', {
      REDIS_URL: redis.url,
      BOOTSTRAP_API_KEY: ADMINISTRATOR_KEY,
      SEALING_KEY: 'bench-sealing-key-0123456789-0123456789',
    });
    const edge = {
      REDIS_URL: `redis://127.0.0.1:${pushProxy.port}`,
      PASSPORT_SECRET: 'bench-passport-0123456789-0123456789',
      CHAT_TRANSLATOR_URL: NOWHERE,
      MEDIA_SERVICE_URL: NOWHERE,
    };
    const urls = await Promise.all(Array.from({ length: count }, () => start('edge-router', edge)));
    return { urls, managementUrl, administratorKey: ADMINISTRATOR_KEY, pushProxy, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
