// Runs the chat-translator as a process of its own: env → compose → listen → drain.
import { createEnvLookup, createFailPoint, loadEnv } from '@weir/config';
import type { FailPoint } from '@weir/contracts';
import { createKafkaUsageBus } from '@weir/event-bus';
import { buildWorkerRoutes, describeInnerLimits, runService, stopOnSignals } from '@weir/http-server';
import { createCatalog } from '@weir/model-catalog';
import { createAttemptProviders } from '@weir/providers';
import { createRedis, createRedisFreePlaceReturns, createRedisHoldStore, createRedisWatermarkStore } from '@weir/redis-stores';
import { createTravellerSeal } from '@weir/sealing';
import {
  createAttemptMetrics,
  createLogger,
  createMeteringMetrics,
  createMetricsRegistry,
  openTracing,
  registerJournalMetrics,
  type Logger,
  type MetricsRegistry,
  type Tracing,
} from '@weir/telemetry';
import { createUpstreamTransport } from '@weir/upstream-http';
import { createAttemptObserver, openMetering } from '@weir/usage-journal';
import type { z } from 'zod';
import { openInlining } from './chat/open-inlining';
import { composeChatTranslator } from './compose';
import { chatTranslatorEnv } from './env';
import { openGuardrails } from './guardrails/open-guardrails';

const SHIP_ON_STOP_MS = 10_000;

async function main(): Promise<void> {
  const env = loadEnv(chatTranslatorEnv);
  const failPoint = createFailPoint(env);
  const log = createLogger({ service: 'chat-translator', level: env.LOG_LEVEL });
  const registry = createMetricsRegistry();
  const tracing = await openTracing('chat-translator', env);
  const redis = createRedis(env.REDIS_URL, log);
  const holdStore = createRedisHoldStore(redis, log);
  const bus = createKafkaUsageBus({ brokers: env.KAFKA_BROKERS, clientId: 'weir-chat-translator', log, failPoint });
  const parts = {
    publish: (events: Parameters<typeof bus.publisher.publish>[0]) => bus.publisher.publish(events),
    redis,
    holdStore,
    registry,
    log,
    failPoint,
    tracing,
  };
  const { metering, attempts } = openObservedMetering(env, parts);
  const upstream = openUpstream(env);
  const { handle } = composeChatTranslator({
    providers: createAttemptProviders({
      env: createEnvLookup(),
      transport: attempts.tellProviders(upstream.send),
      openCredential: createTravellerSeal(env.PASSPORT_SECRET).open,
    }),
    catalog: createCatalog(env.CATALOG),
    till: attempts.till,
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
    tellsOutcomes: true,
    inlining: openInlining(env),
    scanners: openGuardrails(env),
  });
  const service = await runService({
    port: env.PORT,
    host: env.HOST,
    log,
    registry,
    hotRoutes: buildWorkerRoutes({
      service: 'chat-translator',
      handle: attempts.guard(handle),
      passportSecret: env.PASSPORT_SECRET,
      bodyBytesMax: env.JSON_BODY_BYTES_MAX,
      now: Date.now,
    }),
    checks: [() => (metering.isReady() ? null : 'the usage journal does not accept records')],
    limits: describeInnerLimits(env),
    tracing,
    onStop: async () => {
      await metering.drain(SHIP_ON_STOP_MS, 'published');
      await metering.close();
      await bus.publisher.close();
      holdStore.close();
      redis.disconnect();
      await upstream.close();
      await tracing?.close();
    },
  });
  stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit: (code) => process.exit(code) });
  log.info({ port: service.port }, 'chat-translator listens');
}

type MeteringParts = {
  readonly publish: ReturnType<typeof createKafkaUsageBus>['publisher']['publish'];
  readonly redis: ReturnType<typeof createRedis>;
  readonly holdStore: ReturnType<typeof createRedisHoldStore>;
  readonly registry: MetricsRegistry;
  readonly log: Logger;
  readonly failPoint: FailPoint;
  readonly tracing: Tracing | undefined;
};

function openUpstream(env: z.infer<typeof chatTranslatorEnv>) {
  const { UPSTREAM_CONNECT_TIMEOUT_MS: connectTimeoutMs, UPSTREAM_CONNECTIONS_MAX: connectionsMax } = env;
  return createUpstreamTransport({ connectTimeoutMs, connectionsMax });
}

/** Where usage is journalled, and who is told of every attempt. */
function openObservedMetering(env: z.infer<typeof chatTranslatorEnv>, parts: MeteringParts) {
  const { publish, redis, holdStore, registry, log, failPoint, tracing } = parts;
  const metering = openMetering({
    directory: env.JOURNAL_DIR,
    durability: env.USAGE_DURABILITY,
    bytesMax: env.JOURNAL_BYTES_MAX,
    segmentBytesMax: env.JOURNAL_SEGMENT_BYTES,
    resendAfterMs: env.JOURNAL_RESEND_AFTER_MS,
    publish,
    watermarks: createRedisWatermarkStore(redis),
    log,
    onLost: createMeteringMetrics(registry).gap,
    onFailure: () => process.exit(1),
    failPoint,
    holds: { store: holdStore, ttlMs: env.HOLD_TTL_MS },
  });
  registerJournalMetrics(registry, metering.read);
  const observed = { till: metering.till, metrics: createAttemptMetrics(registry), tracing, isTracingProviders: env.TRACE_PROVIDERS };
  const attempts = createAttemptObserver(observed);
  return { metering, attempts };
}

main().catch((error: unknown) => {
  process.stderr.write(`chat-translator could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
