// Runs the edge-router as a process of its own: env → compose → listen → drain.
import { createKeyPeppers } from '@weir/access';
import { createEnvLookup, loadEnv, warnOfMisspelt } from '@weir/config';
import { INNER_CONNECTIONS } from '@weir/contracts';
import {
  createChangeLog,
  createDataKeyStore,
  createDatabase,
  createDatabaseCheck,
  createGenerationReader,
  createRefusalStore,
  createKeyDirectory,
  createOrganizationDirectory,
  openStoredCatalog,
  type Database,
  waitForDatabase,
} from '@weir/database';
import {
  createFormReceiver,
  describePublicLimits,
  runService,
  stopOnSignals,
  type FormReceiver,
  type HealthParts,
} from '@weir/http-server';
import {
  createCompatibleRows,
  createProviderAccounts,
  listKeySettingNames,
  openProviders,
  readVaultSettings,
  type CompatibleRows,
} from '@weir/providers';
import {
  createRedis,
  createRedisCatalogBoard,
  createRedisCheck,
  createRedisChangeNotices,
  createRedisReplyCache,
  type Redis,
} from '@weir/redis-stores';
import { createRouteHealth } from '@weir/routing';
import { createKeyRing, createTransitSealer, createVault } from '@weir/sealing';
import { createCatalogMetrics, createLogger, openMetricsRegistry, openTracing, type Logger, type MetricsRegistry } from '@weir/telemetry';
import { createUpstreamTransport, type UpstreamTransport } from '@weir/upstream-http';
import type { z } from 'zod';
import { composeEdgeRouter, type EdgeRouterParts } from './compose';
import { edgeRouterEnv } from './env';
import { createHttpForward } from './forward/forward-over-http';
import { checkWorkers, followWorkers, WorkerAddresses } from './forward/worker-addresses';
import { openLimits } from './open-limits';
import { openRuleParts, type RuleParts } from './open-rule-parts';

const WORKER_CONNECTIONS = { connectTimeoutMs: 1000, connectionsMax: 4096, connectionIdleMs: INNER_CONNECTIONS.idleMs, isInner: true };

/** Settings that have to fit together. */
const TOGETHER = [readVaultSettings];

async function main(): Promise<void> {
  const env = loadEnv(edgeRouterEnv, undefined, TOGETHER);
  const log = createLogger({ service: 'edge-router', level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  warnOfMisspelt(edgeRouterEnv, log, listKeySettingNames());
  const tracing = await openTracing('edge-router', env);
  const database = await openDatabase(env, log);
  const redis = createRedis(env.REDIS_URL, log);
  const subscriber = createRedis(env.REDIS_URL, log);
  const workers = await openWorkers(env);
  const registry = openMetricsRegistry('edge-router', env, log);
  const limits = await openLimits({ env, redis, database, registry, log });
  const health = createRouteHealth({ now: () => performance.now() });
  const changeNotices = createRedisChangeNotices(redis, subscriber);
  const { rows, models, opened } = await openModels(env, { database, redis, send: workers.send, notices: changeNotices, registry, log });
  const edge = composeEdgeRouter({
    catalog: models.catalog,
    ...{ providers: opened.directory, accounts: opened.accounts },
    ...openKeys(env, database, log),
    organizationDirectory: createOrganizationDirectory(database.pool),
    ...openRules(env, { database, redis, send: workers.send, rows, registry, log }),
    health,
    generations: createGenerationReader(database.pool),
    refusals: createRefusalStore(database.pool),
    ...{ changeLog: createChangeLog(database.pool), changeNotices },
    rates: limits.rates,
    freeModelDays: limits.freeModelDays,
    holds: limits.holds,
    forward: createHttpForward({
      workers: workers.addresses,
      send: workers.send,
      passportSecret: env.PASSPORT_SECRET,
      health,
    }),
    defaultChatModel: env.DEFAULT_CHAT_MODEL,
    hasConsole: env.CONSOLE,
    bodyBytesMax: env.JSON_BODY_BYTES_MAX,
    forms: openForms(env),
    fileLinkSecret: env.PASSPORT_SECRET,
    requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
    now: Date.now,
    log,
  });
  const stopWatching = await edge.start();
  const service = await runService({
    port: env.PORT,
    host: env.HOST,
    metricsPort: { asked: env.METRICS_PORT, usual: 9460 },
    log,
    registry,
    hotRoutes: edge.hotRoutes,
    upgrades: edge.upgrades,
    mount: edge.mount,
    health: describeHealth(workers, { database, redis }),
    limits: describePublicLimits(env),
    tracing,
    onStop: async () => {
      opened.stop();
      await models.stop();
      await stopWatching();
      await limits.close();
      redis.disconnect();
      subscriber.disconnect();
      await database.close();
      await workers.close();
      await tracing?.close();
    },
  });
  stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit: (code) => process.exit(code) });
  log.info({ port: service.port, metricsPort: service.metricsPort }, 'edge-router listens');
}

/**
 * An edge can serve as soon as it can read keys and reach a worker. Later it goes on by what it has read, whatever is away: what
 * it cannot serve then, no other edge can.
 */
function describeHealth({ addresses, send }: Workers, { database, redis }: Pick<RuleStores, 'database' | 'redis'>): HealthParts {
  const checkDatabase = createDatabaseCheck(database);
  const checkChat = () => checkWorkers('chat-translator', addresses['chat-translator'], send);
  const checkMedia = () => checkWorkers('media-service', addresses['media-service'], send);
  const checkBoth = async (): Promise<string | null> => {
    const problem = await checkChat().catch((error: unknown) => String(error));
    return problem === null || (await checkMedia()) === null ? null : problem;
  };
  return {
    starts: [checkDatabase, checkBoth],
    dependencies: {
      ...{ postgres: checkDatabase, redis: createRedisCheck(redis) },
      ...{ 'chat-translator': checkChat, 'media-service': checkMedia },
    },
  };
}

type Workers = Awaited<ReturnType<typeof openWorkers>>;

/** The way to the workers, wherever their processes are. */
async function openWorkers(env: EdgeEnv) {
  const { send, close } = createUpstreamTransport(WORKER_CONNECTIONS);
  const urls = { 'chat-translator': env.CHAT_TRANSLATOR_URL, 'media-service': env.MEDIA_SERVICE_URL };
  const addresses = {
    'chat-translator': new WorkerAddresses(urls['chat-translator']),
    'media-service': new WorkerAddresses(urls['media-service']),
  };
  const stops = await Promise.all([
    followWorkers(addresses['chat-translator'], urls['chat-translator'], { send }),
    followWorkers(addresses['media-service'], urls['media-service'], { send }),
  ]);
  return {
    addresses,
    send,
    close: async () => {
      for (const stop of stops) stop();
      await close();
    },
  };
}

type EdgeEnv = z.infer<typeof edgeRouterEnv>;

type ModelSources = Omit<RuleStores, 'rows'> & { readonly notices: EdgeRouterParts['changeNotices'] };

/** Which models there are, and who serves them. A file of accounts may name providers that the catalogue brings, so that is read first. */
async function openModels(env: EdgeEnv, { database, redis, send, notices, registry, log }: ModelSources) {
  const rows = createCompatibleRows();
  const models = await openStoredCatalog({
    ...{ pool: database.pool, imported: env.CATALOG, takeProviders: rows.take, notices, log },
    ...{ board: createRedisCatalogBoard(redis), show: createCatalogMetrics(registry) },
  });
  return { rows, models, opened: await openProviders(env, { lookup: createEnvLookup(), transport: send, rows, registry, log }) };
}

async function openDatabase(env: EdgeEnv, log: Logger): Promise<Database> {
  const database = createDatabase({ url: env.DATABASE_URL, poolMax: env.DATABASE_POOL_MAX, log });
  await waitForDatabase(database.pool, { isNewerAllowed: env.NEWER_DATA_ALLOWED, log });
  return database;
}

function openKeys(env: EdgeEnv, { pool }: Database, log: Logger): Pick<EdgeRouterParts, 'keyDirectory' | 'keyPeppers'> {
  const keyPeppers = createKeyPeppers(env.KEY_PEPPER, env.KEY_PEPPER_PREVIOUS);
  return { keyPeppers, keyDirectory: createKeyDirectory(pool, { peppers: keyPeppers, log }) };
}

type RuleStores = {
  readonly database: Database;
  readonly redis: Redis;
  readonly send: UpstreamTransport;
  readonly rows: CompatibleRows;
  readonly registry: MetricsRegistry;
  readonly log: Logger;
};

function openRules(env: EdgeEnv, { database, redis, send, rows, registry, log }: RuleStores): RuleParts {
  const { SEALING_KEY: sealingKey } = env;
  const store = createDataKeyStore(database.pool);
  return openRuleParts({
    env,
    database,
    vault: sealingKey === undefined ? null : createVault({ keyRing: createKeyRing(sealingKey), store }),
    accounts: createProviderAccounts({ transport: send, rows, env: createEnvLookup() }),
    seal: createTransitSealer(env.PASSPORT_SECRET),
    cache: createRedisReplyCache(redis, { bytesMax: env.RESPONSE_CACHE_BYTES_MAX }),
    registry,
    log,
  });
}

function openForms(env: EdgeEnv): FormReceiver {
  return createFormReceiver({
    directory: env.UPLOAD_DIR,
    fileBytesMax: env.UPLOAD_FILE_BYTES_MAX,
    diskBytesMax: env.UPLOAD_DISK_BYTES_MAX,
    areDigested: true,
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`edge-router could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
