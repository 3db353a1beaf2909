// Runs the chat-translator as a process of its own: env → compose → listen → drain.
import { createEnvLookup, loadEnv } from '@weir/config';
import { createKafkaUsageBus } from '@weir/event-bus';
import { buildWorkerRoutes, runService, stopOnSignals } from '@weir/http-server';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { createProviderDirectory } from '@weir/providers';
import { createRedis, createRedisWatermarkStore } from '@weir/redis-stores';
import { createLogger, createMeteringMetrics, createMetricsRegistry } from '@weir/telemetry';
import { createUpstreamTransport } from '@weir/upstream-http';
import { createCrashCloser, createJournalShipper, createTill, createUsageJournal } from '@weir/usage-journal';
import { composeChatTranslator } from './compose';
import { chatTranslatorEnv } from './env';

const REQUEST_TIMEOUT_MS = 900_000;
const SHIP_ON_STOP_MS = 10_000;

async function main(): Promise<void> {
  const env = loadEnv(chatTranslatorEnv);
  const log = createLogger({ service: 'chat-translator', level: env.LOG_LEVEL });
  const registry = createMetricsRegistry();
  const metering = createMeteringMetrics(registry);
  const redis = createRedis(env.REDIS_URL, log);
  const bus = createKafkaUsageBus({ brokers: env.KAFKA_BROKERS, clientId: 'weir-chat-translator', log });
  const journal = createUsageJournal({
    directory: env.JOURNAL_DIR,
    durability: env.USAGE_DURABILITY,
    bytesMax: env.JOURNAL_BYTES_MAX,
    closeCrashed: createCrashCloser({ now: Date.now }),
    now: Date.now,
    log,
    onGap: () => metering.gap(),
    onFailure: (error) => {
      log.fatal({ error }, 'the usage journal cannot be written: no request runs unmetered, so this process ends');
      process.exit(1);
    },
  });
  const shipper = createJournalShipper({ journal, publish: bus.publisher.publish, watermarks: createRedisWatermarkStore(redis), log });
  const upstream = createUpstreamTransport({ connectTimeoutMs: env.UPSTREAM_CONNECT_TIMEOUT_MS, connectionsMax: env.UPSTREAM_CONNECTIONS_MAX });
  const { handle } = composeChatTranslator({
    providers: createProviderDirectory({ env: createEnvLookup(), transport: upstream.send }),
    catalog: createBuiltInCatalog(),
    till: createTill({ journal, now: Date.now }),
    isMeteringReady: () => journal.isAccepting,
    headersTimeoutMs: env.UPSTREAM_HEADERS_TIMEOUT_MS,
    idleTimeoutMs: env.UPSTREAM_IDLE_TIMEOUT_MS,
    heartbeatMs: env.STREAM_HEARTBEAT_MS,
    now: Date.now,
  });
  shipper.start();
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
    checks: [() => (journal.isAccepting ? null : 'the usage journal does not accept records')],
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    onStop: async () => {
      await shipper.drain(SHIP_ON_STOP_MS);
      await shipper.stop();
      await journal.close();
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
