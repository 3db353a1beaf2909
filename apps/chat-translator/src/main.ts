// Runs the chat-translator as a process of its own: env → compose → listen → drain.
import { createEnvLookup, createFailPoint, loadEnv } from '@weir/config';
import { createKafkaUsageBus } from '@weir/event-bus';
import { openScanners, providerTimeHeader, startProcessReports } from '@weir/exchange';
import { buildWorkerRoutes, createMemoryPassportUses, describeWorkerLimits, runService, stopOnSignals } from '@weir/http-server';
import { createCatalog } from '@weir/model-catalog';
import { createAttemptProviders, isSpent, nameInTraces, openProviders, readAllowance } from '@weir/providers';
import { openRedisMetering } from '@weir/redis-stores';
import { createPacing, createRouteHealth } from '@weir/routing';
import { createTransitSealer } from '@weir/sealing';
import { createLogger, createMetricsRegistry, createPassportMetrics, createProviderQueueMetrics, openTracing } from '@weir/telemetry';
import { openUpstream } from '@weir/upstream-http';
import { openObservedMetering } from '@weir/meter';
import { mountAccountHandler } from './accounts/mount-account-questions';
import { openInlining } from './exchange/open-inlining';
import { composeChatTranslator } from './compose';
import { chatTranslatorEnv } from './env';

async function main(): Promise<void> {
  const env = loadEnv(chatTranslatorEnv);
  const failPoint = createFailPoint(env);
  const log = createLogger({ service: 'chat-translator', level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  const registry = createMetricsRegistry();
  const tracing = await openTracing('chat-translator', env);
  const { note: notePassport } = createPassportMetrics(registry, log);
  const stores = openRedisMetering(env.REDIS_URL, env.HOLD_TTL_MS, log);
  const uses = stores.openPassportUses(createMemoryPassportUses(Date.now), () => notePassport('unshared'));
  const { metering, observer, forWorkers, close } = openObservedMetering({
    ...{ settings: env, registry, log, failPoint, tracing, nameProvider: nameInTraces, providerTime: providerTimeHeader },
    directory: env.JOURNAL_DIR,
    publisher: createKafkaUsageBus({ brokers: env.KAFKA_BROKERS, clientId: 'weir-chat-translator', log, failPoint }).publisher,
    stores,
    onFailure: () => process.exit(1),
  });
  const upstream = openUpstream(env, registry);
  const health = createRouteHealth({ now: () => performance.now() });
  const queues = createProviderQueueMetrics(registry, () => pacing.waiting());
  const pacing = createPacing({ queueMs: env.PROVIDER_QUEUE_MS, readAllowance, isSpent, onWaited: queues.waited });
  const transport = observer.traceCalls(upstream.send);
  const opened = await openProviders(env, { lookup: createEnvLookup(), transport, registry, log });
  const providers = createAttemptProviders({
    ...{ env: createEnvLookup(), transport, providers: opened.directory },
    openCredential: createTransitSealer(env.PASSPORT_SECRET).open,
  });
  const { handle } = composeChatTranslator({
    ...forWorkers,
    ...{ providers, health, pacing },
    catalog: createCatalog(env.CATALOG),
    headersTimeoutMs: env.UPSTREAM_HEADERS_TIMEOUT_MS,
    idleTimeoutMs: env.UPSTREAM_IDLE_TIMEOUT_MS,
    heartbeatMs: env.STREAM_HEARTBEAT_MS,
    now: Date.now,
    failPoint,
    reportsOutcomes: true,
    inlining: openInlining(env),
    scanners: openScanners(env),
  });
  const stopReports = startProcessReports({ reports: stores.processReports, health, providers, now: Date.now });
  const service = await runService({
    port: env.PORT,
    host: env.HOST,
    metricsPort: { asked: env.METRICS_PORT, usual: 9461 },
    log,
    registry,
    hotRoutes: buildWorkerRoutes({
      service: 'chat-translator',
      handle: handle,
      ...{ passportSecret: env.PASSPORT_SECRET, uses, notePassport },
      bodyBytesMax: env.JSON_BODY_BYTES_MAX,
      now: Date.now,
    }),
    mount: mountAccountHandler(env.PASSPORT_SECRET, transport),
    checks: [() => (metering.isReady() ? null : 'the usage journal does not accept records')],
    limits: describeWorkerLimits(env),
    tracing,
    onStop: async () => {
      opened.stop();
      await stopReports();
      await close('published');
      await upstream.close();
      await tracing?.close();
    },
  });
  stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit: (code) => process.exit(code) });
  log.info({ port: service.port, metricsPort: service.metricsPort }, 'chat-translator listens');
}

main().catch((error: unknown) => {
  process.stderr.write(`chat-translator could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
