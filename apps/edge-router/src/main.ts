// Runs the edge-router as a process of its own: env → compose → listen → drain.
import { createEnvLookup, loadEnv } from '@weir/config';
import { createChangeLog, createDatabase, createKeyDirectory, createOrganizationDirectory } from '@weir/database';
import { runService, stopOnSignals } from '@weir/http-server';
import { createCatalog } from '@weir/model-catalog';
import { createProviderDirectory } from '@weir/providers';
import { createRedis, createRedisChangeNotices } from '@weir/redis-stores';
import { createLogger, createMetricsRegistry } from '@weir/telemetry';
import { createUpstreamTransport } from '@weir/upstream-http';
import { composeEdgeRouter } from './compose';
import { edgeRouterEnv } from './env';
import { createHttpForward } from './forward/forward-over-http';
import { openLimits } from './open-limits';

async function main(): Promise<void> {
  const env = loadEnv(edgeRouterEnv);
  const log = createLogger({ service: 'edge-router', level: env.LOG_LEVEL });
  const database = createDatabase({ url: env.DATABASE_URL, poolMax: env.DATABASE_POOL_MAX, log });
  const redis = createRedis(env.REDIS_URL, log);
  const subscriber = createRedis(env.REDIS_URL, log);
  const workers = createUpstreamTransport({ connectTimeoutMs: 1000, connectionsMax: 4096 });
  const registry = createMetricsRegistry();
  const limits = await openLimits({ env, redis, database, registry, log });
  const edge = composeEdgeRouter({
    catalog: createCatalog(env.CATALOG),
    providers: createProviderDirectory({ env: createEnvLookup(), transport: workers.send }),
    keyDirectory: createKeyDirectory(database.pool),
    organizationDirectory: createOrganizationDirectory(database.pool),
    changeLog: createChangeLog(database.pool),
    changeNotices: createRedisChangeNotices(redis, subscriber),
    rates: limits.rates,
    freeModelDays: limits.freeModelDays,
    holds: limits.holds,
    keyPepper: env.KEY_PEPPER,
    forward: createHttpForward({
      addresses: { 'chat-translator': env.CHAT_TRANSLATOR_URL, 'media-service': env.MEDIA_SERVICE_URL },
      send: workers.send,
      passportSecret: env.PASSPORT_SECRET,
    }),
    defaultChatModel: env.DEFAULT_CHAT_MODEL,
    bodyBytesMax: env.JSON_BODY_BYTES_MAX,
    requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
    now: Date.now,
    log,
  });
  const stopWatching = await edge.start();
  const service = await runService({
    port: env.PORT,
    host: env.HOST,
    log,
    registry,
    hotRoutes: edge.hotRoutes,
    mount: edge.mount,
    checks: [
      async () => {
        await database.pool.query('select 1');
        return null;
      },
      () => checkWorker(env.CHAT_TRANSLATOR_URL, workers.send),
    ],
    requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
    onStop: async () => {
      await stopWatching();
      await limits.close();
      redis.disconnect();
      subscriber.disconnect();
      await database.close();
      await workers.close();
    },
  });
  stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit: (code) => process.exit(code) });
  log.info({ port: service.port }, 'edge-router listens');
}

/** A request would fail without its worker, so the edge is not ready without it. */
async function checkWorker(url: string, send: ReturnType<typeof createUpstreamTransport>['send']): Promise<string | null> {
  const answer = await send({
    method: 'GET',
    url: `${url}/readyz`,
    headers: {},
    body: '',
    signal: AbortSignal.timeout(2000),
    headersTimeoutMs: 2000,
    idleTimeoutMs: 2000,
  });
  answer.body.resume();
  return answer.status === 200 ? null : `the chat-translator at ${url} is not ready`;
}

main().catch((error: unknown) => {
  process.stderr.write(`edge-router could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
