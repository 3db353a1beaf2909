// Runs the usage-aggregator as a process of its own: env → compose → consume → drain.
import { loadEnv } from '@weir/config';
import { createDatabase, createUsageStore } from '@weir/database';
import { createKafkaUsageBus } from '@weir/event-bus';
import { runService, stopOnSignals } from '@weir/http-server';
import { createRedis, createRedisWatermarkStore } from '@weir/redis-stores';
import { createLogger, createMeteringMetrics, createMetricsRegistry } from '@weir/telemetry';
import { composeUsageAggregator } from './compose';
import { usageAggregatorEnv } from './env';

async function main(): Promise<void> {
  const env = loadEnv(usageAggregatorEnv);
  const log = createLogger({ service: 'usage-aggregator', level: env.LOG_LEVEL });
  const registry = createMetricsRegistry();
  const database = createDatabase({ url: env.DATABASE_URL, poolMax: env.DATABASE_POOL_MAX, log });
  const redis = createRedis(env.REDIS_URL, log);
  const bus = createKafkaUsageBus({ brokers: env.KAFKA_BROKERS, clientId: 'weir-usage-aggregator', log });
  const aggregator = composeUsageAggregator({
    consumer: bus.consumer,
    store: createUsageStore({ pool: database.pool, now: Date.now, log }),
    watermarks: createRedisWatermarkStore(redis),
    metrics: createMeteringMetrics(registry),
    now: Date.now,
    log,
  });
  await aggregator.start();
  const service = await runService({
    port: env.PORT,
    host: env.HOST,
    log,
    registry,
    checks: [
      () => (aggregator.isReady() ? null : 'the consumer has not joined its group'),
      async () => {
        await database.pool.query('select 1');
        return null;
      },
    ],
    requestTimeoutMs: 60_000,
    onStop: async () => {
      await aggregator.stop();
      redis.disconnect();
      await database.close();
    },
  });
  stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit: (code) => process.exit(code) });
  log.info({ port: service.port }, 'usage-aggregator listens');
}

main().catch((error: unknown) => {
  process.stderr.write(`usage-aggregator could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
