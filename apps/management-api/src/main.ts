// Runs the management-api as a process of its own: env → migrate → compose → listen → drain.
import { createAuthenticator, createKeyCache, createKeyDigests, createKeyPeppers, readCredential, watchChanges } from '@weir/access';
import { createApiDocument, PUBLISHED_SCHEMAS } from '@weir/api-description';
import { loadEnv, readClickHouseOptions, warnOfMisspelt } from '@weir/config';
import {
  createChangeLog,
  createDatabase,
  createDatabaseCheck,
  createDataKeyStore,
  createKeyDirectory,
  createUsageStore,
  migrateDatabase,
  openStoredCatalog,
  waitForDatabase,
  waitForPostgres,
} from '@weir/database';
import { createAddressRule, createGuardedFetcher } from '@weir/guarded-fetch';
import { describePublicLimits, mountApiPages, runService, stopOnSignals } from '@weir/http-server';
import {
  createRedis,
  createRedisCheck,
  createRedisCatalogBoard,
  createRedisChangeNotices,
  createRedisProcessReports,
} from '@weir/redis-stores';
import { createKeyRing, createVault } from '@weir/sealing';
import {
  createCatalogMetrics,
  createConfigurationCounter,
  createLogger,
  createRowSecurityMetric,
  createSecretAlertCounter,
  openMetricsRegistry,
  openTracing,
} from '@weir/telemetry';
import { composeManagementApi } from './compose';
import { readOidcSettings } from './console/oidc/read-oidc-settings';
import { openConsole } from './console/open-console';
import { readConfigurationFile } from './configuration/file/follow-configuration-file';
import { managementApiEnv, readVariable } from './env';
import { createIdentityProvider } from './identity/create-identity-provider';
import { openUsageStore } from './open-usage-store';
import { openProviderAccounts } from './provider-accounts/open-provider-accounts';
import { createSecretAlerts } from './secret-alerts/create-secret-alerts';
import { seedFirstKey } from './seed-first-key';

/** Settings that have to fit together. */
const TOGETHER = [openProviderAccounts, createIdentityProvider, readOidcSettings, readClickHouseOptions];

async function main(): Promise<void> {
  const env = loadEnv(managementApiEnv, undefined, TOGETHER);
  const log = createLogger({ service: 'management-api', level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  warnOfMisspelt(managementApiEnv, log);
  const tracing = await openTracing('management-api', env);
  await waitForPostgres(env.DATABASE_URL, { log });
  if (env.MIGRATE_AT_START) await migrateDatabase({ url: env.DATABASE_URL, isNewerAllowed: env.NEWER_DATA_ALLOWED, log });
  const database = createDatabase({ url: env.DATABASE_URL, poolMax: env.DATABASE_POOL_MAX, log });
  await waitForDatabase(database.pool, { isNewerAllowed: env.NEWER_DATA_ALLOWED, log });
  const peppers = createKeyPeppers(env.KEY_PEPPER, env.KEY_PEPPER_PREVIOUS);
  if (env.BOOTSTRAP_API_KEY !== undefined) await seedFirstKey(database, env.BOOTSTRAP_API_KEY, peppers);
  const [redis, subscriber] = [createRedis(env.REDIS_URL, log), createRedis(env.REDIS_URL, log)];
  const changeNotices = createRedisChangeNotices(redis, subscriber);
  const cache = createKeyCache({ directory: createKeyDirectory(database.pool, { peppers, log }), now: Date.now });
  const authenticator = createAuthenticator({ cache, digest: createKeyDigests(peppers), now: Date.now });
  const stopWatching = await watchChanges({
    changeLog: createChangeLog(database.pool),
    notices: changeNotices,
    cache,
    onError: (error) => log.warn({ error }, 'the change log could not be read; trying again'),
  });
  const registry = openMetricsRegistry('management-api', env, log);
  const fetcher = createGuardedFetcher({ ports: env.FETCH_PORTS, isAllowedAddress: createAddressRule(env.FETCH_PRIVATE_NETWORKS) });
  const published = { board: createRedisCatalogBoard(redis), show: createCatalogMetrics(registry) };
  const models = await openStoredCatalog({ pool: database.pool, imported: env.CATALOG, notices: changeNotices, log, ...published });
  const store = createUsageStore({ pool: database.pool, now: Date.now, log });
  const management = composeManagementApi({
    database,
    usageStore: openUsageStore({ settings: env, store, database, registry, log }),
    authenticate: async (request) => authenticator.authenticate(readCredential(request.headers, 'bearer')),
    ...{ changeNotices, processReports: createRedisProcessReports(redis), catalog: models.catalog },
    vault: createVault({ keyRing: createKeyRing(env.SEALING_KEY), store: createDataKeyStore(database.pool) }),
    urlGuard: fetcher,
    sendsEmail: env.ALERT_EMAIL,
    secretAlerts: createSecretAlerts(env, { fetcher, count: createSecretAlertCounter(registry) }),
    console: openConsole(env, { sealingKey: env.SEALING_KEY, gatewayUrl: () => env.CONSOLE_GATEWAY_URL }),
    ...openProviderAccounts(env),
    ...{ peppers, identityProvider: createIdentityProvider(env), oidc: readOidcSettings(env) },
    configurationFile: readConfigurationFile(env, { env: readVariable, count: createConfigurationCounter(registry) }),
    ...{ now: Date.now, log },
  });
  const stopUpkeep = management.start();
  createRowSecurityMetric(registry, database.rowSecurity);
  const checkDatabase = createDatabaseCheck(database);
  const service = await runService({
    port: env.PORT,
    host: env.HOST,
    metricsPort: { asked: env.METRICS_PORT, usual: 9463 },
    log,
    registry,
    mount: (app) => {
      mountApiPages(app, createApiDocument, PUBLISHED_SCHEMAS);
      app.use(management.router);
    },
    health: { starts: [checkDatabase], dependencies: { postgres: checkDatabase, redis: createRedisCheck(redis) } },
    limits: describePublicLimits(env),
    tracing,
    onStop: async () => {
      await models.stop();
      await stopWatching();
      await stopUpkeep();
      redis.disconnect();
      subscriber.disconnect();
      await database.close();
      await tracing?.close();
    },
  });
  stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit: (code) => process.exit(code) });
  log.info({ port: service.port, metricsPort: service.metricsPort }, 'management-api listens');
}

main().catch((error: unknown) => {
  process.stderr.write(`management-api could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
