// Runs the chat-translator as a process of its own: env → compose → listen → drain.
import { createEnvLookup, createFailPoint, loadEnv } from '@weir/config';
import { createKafkaUsageBus } from '@weir/event-bus';
import { buildWorkerRoutes, runService, stopOnSignals } from '@weir/http-server';
import { createCatalog } from '@weir/model-catalog';
import { createProviderDirectory } from '@weir/providers';
import { createRedis, createRedisFreePlaceReturns, createRedisHoldStore, createRedisWatermarkStore } from '@weir/redis-stores';
import { createLogger, createMeteringMetrics, createMetricsRegistry, registerJournalMetrics } from '@weir/telemetry';
import { createUpstreamTransport } from '@weir/upstream-http';
import { openInlining } from './chat/open-inlining';
import { composeChatTranslator } from './compose';
import { chatTranslatorEnv } from './env';
import { openMetering } from './till/open-metering';

const REQUEST_TIMEOUT_MS = 900_000;
const SHIP_ON_STOP_MS = 10_000;

async function main(): Promise<void> {
  const env = loadEnv(chatTranslatorEnv);
  const failPoint = createFailPoint(env);
  const log = createLogger({ service: 'chat-translator', level: env.LOG_LEVEL });
  const registry = createMetricsRegistry();
  const redis = createRedis(env.REDIS_URL, log);
  const holdStore = createRedisHoldStore(redis, log);
  const bus = createKafkaUsageBus({ brokers: env.KAFKA_BROKERS, clientId: 'weir-chat-translator', log, failPoint });
  const metering = openMetering({
    directory: env.JOURNAL_DIR,
    durability: env.USAGE_DURABILITY,
    bytesMax: env.JOURNAL_BYTES_MAX,
    segmentBytesMax: env.JOURNAL_SEGMENT_BYTES,
    resendAfterMs: env.JOURNAL_RESEND_AFTER_MS,
    publish: (events) => bus.publisher.publish(events),
    watermarks: createRedisWatermarkStore(redis),
    log,
    onLost: createMeteringMetrics(registry).gap,
    onFailure: () => process.exit(1),
    failPoint,
    holds: { store: holdStore, ttlMs: env.HOLD_TTL_MS },
  });
  registerJournalMetrics(registry, metering.read);
  const upstream = createUpstreamTransport({
    connectTimeoutMs: env.UPSTREAM_CONNECT_TIMEOUT_MS,
    connectionsMax: env.UPSTREAM_CONNECTIONS_MAX,
  });
  const { handle } = composeChatTranslator({
    providers: createProviderDirectory({ env: createEnvLookup(), transport: upstream.send }),
    catalog: createCatalog(env.CATALOG),
    till: metering.till,
    finishHold: metering.finishHold,
    freeModelDays: createRedisFreePlaceReturns(redis),
    onPlaceLost: (error) => log.warn({ error }, 'a place of a free-model day could not be given back'),
    isMeteringReady: metering.isReady,
    whenDurable: metering.whenDurable,
    headersTimeoutMs: env.UPSTREAM_HEADERS_TIMEOUT_MS,
    idleTimeoutMs: env.UPSTREAM_IDLE_TIMEOUT_MS,
    heartbeatMs: env.STREAM_HEARTBEAT_MS,
    now: Date.now,
    failPoint,
    inlining: openInlining(env),
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
      holdStore.close();
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
