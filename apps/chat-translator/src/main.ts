// Runs the chat-translator as a process of its own: env → compose → listen → drain.
import { createEnvLookup, loadEnv } from '@weir/config';
import { createKafkaUsageBus } from '@weir/event-bus';
import { buildWorkerRoutes, runService, stopOnSignals } from '@weir/http-server';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { createProviderDirectory } from '@weir/providers';
import { createRedis, createRedisWatermarkStore } from '@weir/redis-stores';
import { createLogger, createMeteringMetrics, createMetricsRegistry } from '@weir/telemetry';
import { createUpstreamTransport } from '@weir/upstream-http';
import { composeChatTranslator } from './compose';
import { chatTranslatorEnv } from './env';
import { openMetering } from './till/open-metering';

const REQUEST_TIMEOUT_MS = 900_000;
const SHIP_ON_STOP_MS = 10_000;

async function main(): Promise<void> {
  const env = loadEnv(chatTranslatorEnv);
  const log = createLogger({ service: 'chat-translator', level: env.LOG_LEVEL });
  const registry = createMetricsRegistry();
  const redis = createRedis(env.REDIS_URL, log);
  const bus = createKafkaUsageBus({ brokers: env.KAFKA_BROKERS, clientId: 'weir-chat-translator', log });
  const metering = openMetering({
    directory: env.JOURNAL_DIR,
    durability: env.USAGE_DURABILITY,
    bytesMax: env.JOURNAL_BYTES_MAX,
    publish: (events) => bus.publisher.publish(events),
    watermarks: createRedisWatermarkStore(redis),
    log,
    onLost: createMeteringMetrics(registry).gap,
    onFailure: () => process.exit(1),
  });
  const upstream = createUpstreamTransport({
    connectTimeoutMs: env.UPSTREAM_CONNECT_TIMEOUT_MS,
    connectionsMax: env.UPSTREAM_CONNECTIONS_MAX,
  });
  const { handle } = composeChatTranslator({
    providers: createProviderDirectory({ env: createEnvLookup(), transport: upstream.send }),
    catalog: createBuiltInCatalog(),
    till: metering.till,
    isMeteringReady: metering.isReady,
    whenDurable: metering.whenDurable,
    headersTimeoutMs: env.UPSTREAM_HEADERS_TIMEOUT_MS,
    idleTimeoutMs: env.UPSTREAM_IDLE_TIMEOUT_MS,
    heartbeatMs: env.STREAM_HEARTBEAT_MS,
    now: Date.now,
  });
  const service = await runService({
    port: env.PORT,
    host: env.HOST,
    log,
    registry,
    hotRoutes: buildWorkerRoutes({
      service: 'chat-translator',
      handle,
      passportSecret: env.PASSPORT_SECRET,
      bodyBytesMax: env.JSON_BODY_BYTES_MAX,
      now: Date.now,
    }),
    checks: [() => (metering.isReady() ? null : 'the usage journal does not accept records')],
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    onStop: async () => {
      await metering.drain(SHIP_ON_STOP_MS, 'published');
      await metering.close();
      await bus.publisher.close();
      redis.disconnect();
      await upstream.close();
    },
  });
  stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit: (code) => process.exit(code) });
  log.info({ port: service.port }, 'chat-translator listens');
}

main().catch((error: unknown) => {
  process.stderr.write(`chat-translator could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
