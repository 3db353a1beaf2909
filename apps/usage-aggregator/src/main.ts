// Runs the usage-aggregator as a process of its own: env → compose → consume → drain.
import {
  createFailPoint,
  loadEnv,
  readClickHouseOptions,
  readKafkaSecurity,
  readSmtpSettings,
  readUsageFileSettings,
  warnOfMisspelt,
} from '@weir/config';
import {
  createDatabase,
  createDatabaseCheck,
  createDataKeyStore,
  createHoldTruth,
  createUsageStore,
  createUsageUpkeep,
  DEFAULT_USAGE_RETENTION,
  type Database,
  waitForDatabase,
} from '@weir/database';
import { createKafkaUsageBus } from '@weir/event-bus';
import { createAddressRule, createGuardedFetcher } from '@weir/guarded-fetch';
import { describeInnerLimits, runService, stopOnSignals, type HealthParts } from '@weir/http-server';
import { createRecordedPayments } from '@weir/limits';
import {
  createRedis,
  createRedisCheck,
  createRedisChangeNotices,
  createRedisHoldStore,
  createRedisWatermarkStore,
  type Redis,
} from '@weir/redis-stores';
import { createKeyRing, createVault, type Vault } from '@weir/sealing';
import {
  createLimitPressureMetrics,
  createLogger,
  createMeteringMetrics,
  openMetricsRegistry,
  openTracing,
  type Logger,
  type MetricsRegistry,
} from '@weir/telemetry';
import { openMailer } from './alerts/create-mailer';
import { composeUsageAggregator } from './compose';
import { usageAggregatorEnv, type UsageAggregatorEnv } from './env';
import { startLogExports } from './exports/export-logs';
import { startUsageFeed } from './feed/start-usage-feed';
import { startUsageFiles } from './files/start-usage-files';
import { startMoneyTasks } from './start-money-tasks';
import { traceBatches } from './trace-batches';

/** Settings that have to fit together. */
const TOGETHER = [createFailPoint, readKafkaSecurity, readSmtpSettings, readUsageFileSettings, readClickHouseOptions];

async function main(): Promise<void> {
  const env = loadEnv(usageAggregatorEnv, undefined, TOGETHER);
  const failPoint = createFailPoint(env);
  const log = createLogger({ service: 'usage-aggregator', level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  warnOfMisspelt(usageAggregatorEnv, log);
  const registry = openMetricsRegistry('usage-aggregator', env, log);
  const tracing = await openTracing('usage-aggregator', env);
  const database = createDatabase({ url: env.DATABASE_URL, poolMax: env.DATABASE_POOL_MAX, log });
  await waitForDatabase(database.pool, { isNewerAllowed: env.NEWER_DATA_ALLOWED, log });
  const redis = createRedis(env.REDIS_URL, log);
  const holdStore = createRedisHoldStore(redis, log);
  const bus = createKafkaUsageBus({
    brokers: env.KAFKA_BROKERS,
    security: readKafkaSecurity(env),
    clientId: 'weir-usage-aggregator',
    log,
    sessionTimeoutMs: env.KAFKA_SESSION_TIMEOUT_MS,
  });
  const aggregator = composeUsageAggregator({
    consumer: bus.consumer,
    store: traceBatches(createUsageStore({ pool: database.pool, now: Date.now, log, failPoint }), tracing),
    watermarks: createRedisWatermarkStore(redis),
    metrics: createMeteringMetrics(registry),
    upkeep: createUsageUpkeep({
      pool: database.pool,
      now: Date.now,
      log,
      retention: { ...DEFAULT_USAGE_RETENTION, eventDays: env.USAGE_EVENT_RETENTION_DAYS, hourDays: env.USAGE_HOUR_RETENTION_DAYS },
    }),
    now: Date.now,
    log,
    failPoint,
    holds: { store: holdStore, truth: createHoldTruth(database.pool), checkEveryMs: env.HOLD_CHECK_MS },
  });
  await aggregator.start();
  const moneyTasks = startMoneyTasks({
    database,
    vault: openVault(env.SEALING_KEY, database),
    fetcher: createGuardedFetcher({ ports: env.FETCH_PORTS, isAllowedAddress: createAddressRule(env.FETCH_PRIVATE_NETWORKS) }),
    mailer: openMailer(readSmtpSettings(env)),
    showLimits: createLimitPressureMetrics(registry),
    payments: env.AUTO_TOP_UP === 'recorded' ? createRecordedPayments() : undefined,
    isBalanceRequired: env.BALANCE_REQUIRED,
    notify: () => createRedisChangeNotices(redis, redis).notify(),
    now: Date.now,
    log,
  });
  const copies = startCopies({ env, database, registry, log });
  const service = await runService({
    port: env.PORT,
    host: env.HOST,
    metricsPort: { asked: env.METRICS_PORT, usual: 9464 },
    log,
    registry,
    health: describeHealth(aggregator, { database, redis }),
    limits: describeInnerLimits(env),
    tracing,
    onStop: async () => {
      await copies.stop();
      await moneyTasks.stop();
      await aggregator.stop();
      holdStore.close();
      redis.disconnect();
      await database.close();
      await tracing?.close();
    },
  });
  stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit: (code) => process.exit(code) });
  log.info({ port: service.port, metricsPort: service.metricsPort }, 'usage-aggregator listens');
}

/** It has no callers: from when it counts, how late it is says how it is. */
function describeHealth(
  aggregator: { isReady(): boolean },
  { database, redis }: { readonly database: Database; readonly redis: Redis },
): HealthParts {
  const kafka = () => (aggregator.isReady() ? null : 'the consumer has not joined its group');
  const postgres = createDatabaseCheck(database);
  return { starts: [kafka, postgres], dependencies: { kafka, postgres, redis: createRedisCheck(redis) } };
}

type CopyParts = {
  readonly env: UsageAggregatorEnv;
  readonly database: Database;
  readonly registry: MetricsRegistry;
  readonly log: Logger;
};

/** What brings usage and changes to where others read them; counting waits for none of it. */
function startCopies({ env, database, registry, log }: CopyParts): { stop(): Promise<void> } {
  const logExports = startLogExports({ service: 'usage-aggregator', settings: env, database, registry, log });
  const usageFeed = startUsageFeed({ settings: env, database, registry, log });
  const eventDays = env.USAGE_EVENT_RETENTION_DAYS;
  const usageFiles = startUsageFiles({ settings: readUsageFileSettings(env), eventDays, database, registry, log });
  return {
    stop: async () => {
      await logExports.stop();
      await usageFeed.stop();
      await usageFiles.stop();
    },
  };
}

function openVault(sealingKey: Parameters<typeof createKeyRing>[0] | undefined, { pool }: Database): Vault | undefined {
  return sealingKey === undefined ? undefined : createVault({ keyRing: createKeyRing(sealingKey), store: createDataKeyStore(pool) });
}

main().catch((error: unknown) => {
  process.stderr.write(`usage-aggregator could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
