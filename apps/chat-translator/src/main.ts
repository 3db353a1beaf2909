// Runs the chat-translator as a process of its own: env → compose → listen → drain.
import { createEnvLookup, createFailPoint, loadEnv, readKafkaSecurity, warnOfMisspelt } from '@weir/config';
import { createKafkaUsageBus } from '@weir/event-bus';
import { openScanners, openWorkerCatalog, providerTimeHeader, startProcessReports } from '@weir/exchange';
import {
  buildWorkerRoutes,
  createMemoryPassportUses,
  describeWorkerHealth,
  describeWorkerLimits,
  runService,
  stopOnSignals,
} from '@weir/http-server';
import type { CatalogSource } from '@weir/model-catalog';
import {
  createAttemptProviders,
  createCompatibleRows,
  isSpent,
  listKeySettingNames,
  nameInTraces,
  openProviders,
  readAllowance,
  readVaultSettings,
} from '@weir/providers';
import { openRedisMetering } from '@weir/redis-stores';
import { createPacing, createRouteHealth } from '@weir/routing';
import { createTransitSealer } from '@weir/sealing';
import {
  createCatalogMetrics,
  createLogger,
  createPassportMetrics,
  createProviderQueueMetrics,
  createRoutingMetrics,
  openMetricsRegistry,
  openTracing,
  type Logger,
  type MetricsRegistry,
} from '@weir/telemetry';
import { openUpstream, type UpstreamTransport } from '@weir/upstream-http';
import { openObservedMetering } from '@weir/meter';
import type { z } from 'zod';
import { mountAccountHandler } from './accounts/mount-account-questions';
import { openInlining } from './exchange/open-inlining';
import { composeChatTranslator } from './compose';
import { chatTranslatorEnv } from './env';

/** Settings that have to fit together. */
const TOGETHER = [createFailPoint, readKafkaSecurity, readVaultSettings];

async function main(): Promise<void> {
  const env = loadEnv(chatTranslatorEnv, undefined, TOGETHER);
  const failPoint = createFailPoint(env);
  const log = createLogger({ service: 'chat-translator', level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  warnOfMisspelt(chatTranslatorEnv, log, listKeySettingNames());
  const registry = openMetricsRegistry('chat-translator', env, log);
  const tracing = await openTracing('chat-translator', env);
  const { note: notePassport } = createPassportMetrics(registry, log);
  const stores = openRedisMetering(env.REDIS_URL, env.HOLD_TTL_MS, log);
  const uses = stores.openPassportUses(createMemoryPassportUses(Date.now), () => notePassport('unshared'));
  const { metering, observer, forWorkers, close } = openObservedMetering({
    ...{ settings: env, registry, log, failPoint, tracing, nameProvider: nameInTraces, providerTime: providerTimeHeader },
    directory: env.JOURNAL_DIR,
    publisher: createKafkaUsageBus({
      ...{ brokers: env.KAFKA_BROKERS, security: readKafkaSecurity(env), envelope: env.USAGE_EVENT_ENVELOPE },
      ...{ clientId: 'weir-chat-translator', log, failPoint },
    }).publisher,
    stores,
    onFailure: () => process.exit(1),
  });
  const upstream = openUpstream(env, registry);
  const health = createRouteHealth({ now: () => performance.now() });
  const queues = createProviderQueueMetrics(registry, () => pacing.waiting());
  const pacing = createPacing({ queueMs: env.PROVIDER_QUEUE_MS, readAllowance, isSpent, onWaited: queues.waited });
  const routing = createRoutingMetrics(registry, { ejected: () => health.describe().ejected, allowances: () => pacing.allowances() });
  const transport = observer.traceCalls(upstream.send);
  const { rows, models, opened, providers } = await openModels(env, { source: stores.catalog, transport, registry, log });
  const { handle } = composeChatTranslator({
    ...{ ...forWorkers, requests: { ...forWorkers.requests, noteTokens: opened.noteTokens } },
    ...{ providers, health, pacing, onAttemptFailed: routing.failed },
    ...{ catalog: models.catalog, learnModels: models.learnModels },
    headersTimeoutMs: env.UPSTREAM_HEADERS_TIMEOUT_MS,
    idleTimeoutMs: env.UPSTREAM_IDLE_TIMEOUT_MS,
    firstContentMs: env.STREAM_FIRST_CONTENT_MS,
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
    ...{ log, registry, diskCalls: metering.diskCalls },
    hotRoutes: buildWorkerRoutes({
      service: 'chat-translator',
      handle: handle,
      ...{ passportSecret: env.PASSPORT_SECRET, uses, notePassport },
      bodyBytesMax: env.JSON_BODY_BYTES_MAX,
      now: Date.now,
    }),
    mount: mountAccountHandler(env.PASSPORT_SECRET, { transport, rows }),
    health: describeWorkerHealth(metering, stores),
    limits: describeWorkerLimits(env),
    tracing,
    onStop: async () => {
      opened.stop();
      await models.stop();
      await stopReports();
      await close('published');
      await upstream.close();
      await tracing?.close();
    },
  });
  stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit: (code) => process.exit(code) });
  log.info({ port: service.port, metricsPort: service.metricsPort }, 'chat-translator listens');
}

type ModelSources = {
  readonly source: CatalogSource;
  readonly transport: UpstreamTransport;
  readonly registry: MetricsRegistry;
  readonly log: Logger;
};

/** Which models there are, and who serves them. A file of accounts may name providers that the catalogue brings, so that is read first. */
async function openModels(env: z.infer<typeof chatTranslatorEnv>, { source, transport, registry, log }: ModelSources) {
  const rows = createCompatibleRows();
  const models = await openWorkerCatalog({
    ...{ imported: env.CATALOG, directory: env.JOURNAL_DIR, source, takeProviders: rows.take },
    ...{ show: createCatalogMetrics(registry), log },
  });
  const lookup = createEnvLookup();
  const opened = await openProviders(env, { lookup, transport, rows, registry, log });
  const { open: openCredential } = createTransitSealer(env.PASSPORT_SECRET);
  return {
    rows,
    models,
    opened,
    providers: createAttemptProviders({ env: lookup, transport, rows, providers: opened.directory, openCredential }),
  };
}

main().catch((error: unknown) => {
  process.stderr.write(`chat-translator could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
