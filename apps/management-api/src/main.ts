// Runs the management-api as a process of its own: env → migrate → compose → listen → drain.
import { createAuthenticator, createKeyCache, digestApiKey, readCredential, watchChanges } from '@weir/access';
import { loadEnv } from '@weir/config';
import { createChangeLog, createDatabase, createKeyDirectory, createUsageStore, migrateDatabase } from '@weir/database';
import { runService, stopOnSignals } from '@weir/http-server';
import { createRedis, createRedisChangeNotices } from '@weir/redis-stores';
import { createLogger, createMetricsRegistry } from '@weir/telemetry';
import { composeManagementApi } from './compose';
import { managementApiEnv } from './env';
import { seedFirstKey } from './seed-first-key';

async function main(): Promise<void> {
  const env = loadEnv(managementApiEnv);
  const log = createLogger({ service: 'management-api', level: env.LOG_LEVEL });
  await migrateDatabase({ url: env.DATABASE_URL, log });
  const database = createDatabase({ url: env.DATABASE_URL, poolMax: env.DATABASE_POOL_MAX, log });
  if (env.BOOTSTRAP_API_KEY !== undefined) await seedFirstKey(database, env.BOOTSTRAP_API_KEY, env.KEY_PEPPER);
  const redis = createRedis(env.REDIS_URL, log);
  const subscriber = createRedis(env.REDIS_URL, log);
  const changeNotices = createRedisChangeNotices(redis, subscriber);
  const cache = createKeyCache({ directory: createKeyDirectory(database.pool), now: Date.now });
  const authenticator = createAuthenticator({ cache, digest: (key) => digestApiKey(key, env.KEY_PEPPER), now: Date.now });
  const stopWatching = await watchChanges({
    changeLog: createChangeLog(database.pool),
    notices: changeNotices,
    cache,
    onError: (error) => log.warn({ error }, 'the change log could not be read; trying again'),
  });
  const management = composeManagementApi({
    database,
    usageStore: createUsageStore({ pool: database.pool, now: Date.now, log }),
    authenticate: async (request) => authenticator.authenticate(readCredential(request.headers, 'bearer')),
    changeNotices,
    pepper: env.KEY_PEPPER,
    now: Date.now,
    log,
  });
  const service = await runService({
    port: env.PORT,
    host: env.HOST,
    log,
    registry: createMetricsRegistry(),
    mount: (app) => app.use(management.router),
    checks: [
      async () => {
        await database.pool.query('select 1');
        return null;
      },
    ],
    requestTimeoutMs: 60_000,
    onStop: async () => {
      await stopWatching();
      redis.disconnect();
      subscriber.disconnect();
      await database.close();
    },
  });
  stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit: (code) => process.exit(code) });
  log.info({ port: service.port }, 'management-api listens');
}

main().catch((error: unknown) => {
  process.stderr.write(`management-api could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
