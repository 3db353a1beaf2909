// Runs the media-service as a process of its own: env → compose → listen → drain.
import { openBlobStore, startBlobSweeps, type BlobStore } from '@weir/blob-store';
import { createEnvLookup, createFailPoint, loadEnv, readKafkaSecurity, warnOfMisspelt } from '@weir/config';
import { createKafkaUsageBus } from '@weir/event-bus';
import { openScanners, openWorkerCatalog, providerTimeHeader, startProcessReports } from '@weir/exchange';
import { createAddressRule, createGuardedFetcher } from '@weir/guarded-fetch';
import {
  buildWorkerRoutes,
  createFormReceiver,
  createMemoryPassportUses,
  describeWorkerHealth,
  describeWorkerLimits,
  runService,
  stopOnSignals,
  type FormReceiver,
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
  type CompatibleRows,
  type OpenAccounts,
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
import { composeMediaService } from './compose';
import { mediaServiceEnv } from './env';
import { createLengthMeasurer } from './recordings/create-length-measurer';

const SWEEP_EVERY_MS = 60_000;

/** Settings that have to fit together. */
const TOGETHER = [
  createFailPoint,
  readKafkaSecurity,
  readVaultSettings,
  (env: z.infer<typeof mediaServiceEnv>) => openBlobStore(env, Date.now).close(),
];

async function main(): Promise<void> {
  const env = loadEnv(mediaServiceEnv, undefined, TOGETHER);
  const failPoint = createFailPoint(env);
  const log = createLogger({ service: 'media-service', level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  warnOfMisspelt(mediaServiceEnv, log, listKeySettingNames());
  const registry = openMetricsRegistry('media-service', env, log);
  const tracing = await openTracing('media-service', env);
  const blobs = openBlobStore(env, Date.now);
  const { note: notePassport } = createPassportMetrics(registry, log);
  const stores = openRedisMetering(env.REDIS_URL, env.HOLD_TTL_MS, log);
  const uses = stores.openPassportUses(createMemoryPassportUses(Date.now), () => notePassport('unshared'));
  const { metering, observer, forWorkers, close } = openObservedMetering({
    ...{ settings: env, registry, log, failPoint, tracing, nameProvider: nameInTraces, providerTime: providerTimeHeader },
    directory: env.JOURNAL_DIR,
    publisher: createKafkaUsageBus({
      ...{ brokers: env.KAFKA_BROKERS, security: readKafkaSecurity(env), envelope: env.USAGE_EVENT_ENVELOPE },
      ...{ clientId: 'weir-media-service', log, failPoint },
    }).publisher,
    stores,
    onFailure: () => process.exit(1),
  });
  const upstream = openUpstream(env, registry);
  const transport = observer.traceCalls(upstream.send);
  const fetcher = createGuardedFetcher({ ports: env.FETCH_PORTS, isAllowedAddress: createAddressRule(env.FETCH_PRIVATE_NETWORKS) });
  const { rows, models, opened } = await openModels(env, { source: stores.catalog, transport, registry, log });
  const known = describeProviders(env, { transport, rows, registry, opened });
  const { handle } = composeMediaService({
    ...{ ...forWorkers, requests: { ...forWorkers.requests, noteTokens: opened.noteTokens } },
    ...{ ...known, catalog: models.catalog, learnModels: models.learnModels },
    headersTimeoutMs: env.UPSTREAM_HEADERS_TIMEOUT_MS,
    idleTimeoutMs: env.UPSTREAM_IDLE_TIMEOUT_MS,
    heartbeatMs: env.STREAM_HEARTBEAT_MS,
    ...{ now: Date.now, failPoint, reportsOutcomes: true, fetcher, log },
    ...{ scanners: openScanners(env), measureSeconds: createLengthMeasurer({ log }) },
    files: { blobs, retentionDays: env.FILE_RETENTION_DAYS, organizationBytesMax: env.FILE_BYTES_PER_ORGANIZATION_MAX },
    results: { linkSecret: env.PASSPORT_SECRET, ttlMs: env.RESULT_RETENTION_MS, publicUrl: env.PUBLIC_URL },
  });
  const stopSweeps = startSweeps(blobs, log);
  const stopReports = startProcessReports({ reports: stores.processReports, ...known, now: Date.now });
  const service = await runService({
    port: env.PORT,
    host: env.HOST,
    metricsPort: { asked: env.METRICS_PORT, usual: 9462 },
    ...{ log, registry, diskCalls: metering.diskCalls },
    hotRoutes: buildWorkerRoutes({
      service: 'media-service',
      handle: handle,
      ...{ passportSecret: env.PASSPORT_SECRET, uses, notePassport },
      bodyBytesMax: env.JSON_BODY_BYTES_MAX,
      forms: openForms(env),
      now: Date.now,
    }),
    health: describeWorkerHealth(metering, stores),
    limits: describeWorkerLimits(env),
    tracing,
    onStop: async () => {
      opened.stop();
      await models.stop();
      await stopSweeps();
      await stopReports();
      await close('published');
      blobs.close();
      await upstream.close();
      await tracing?.close();
    },
  });
  stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit: (code) => process.exit(code) });
  log.info({ port: service.port, metricsPort: service.metricsPort }, 'media-service listens');
}

/** Those that can be called, and what this process learns of them. */
type ProviderEnv = { readonly PASSPORT_SECRET: string; readonly PROVIDER_QUEUE_MS: number };

type ProviderSources = {
  readonly rows: CompatibleRows;
  readonly transport: UpstreamTransport;
  readonly registry: MetricsRegistry;
  readonly opened: OpenAccounts;
};

function describeProviders(
  { PASSPORT_SECRET: secret, PROVIDER_QUEUE_MS: queueMs }: ProviderEnv,
  { transport, rows, registry, opened }: ProviderSources,
) {
  const { open: openCredential } = createTransitSealer(secret);
  const queues = createProviderQueueMetrics(registry, () => pacing.waiting());
  const pacing = createPacing({ queueMs, readAllowance, isSpent, onWaited: queues.waited });
  const health = createRouteHealth({ now: () => performance.now() });
  const { failed: onAttemptFailed } = createRoutingMetrics(registry, {
    ejected: () => health.describe().ejected,
    allowances: () => pacing.allowances(),
  });
  return {
    health,
    pacing,
    onAttemptFailed,
    providers: createAttemptProviders({ env: createEnvLookup(), transport, rows, providers: opened.directory, openCredential }),
  };
}

function startSweeps(store: BlobStore, log: Logger): () => Promise<void> {
  const onError = (error: unknown): void => log.warn({ error }, 'expired files could not be removed; trying again');
  return startBlobSweeps({ store, everyMs: SWEEP_EVERY_MS, now: Date.now, onError });
}

type MediaEnv = z.infer<typeof mediaServiceEnv>;

type ModelSources = Pick<ProviderSources, 'transport' | 'registry'> & { readonly source: CatalogSource; readonly log: Logger };

/** Which models there are, and who serves them. A file of accounts may name providers that the catalogue brings, so that is read first. */
async function openModels(env: MediaEnv, { source, transport, registry, log }: ModelSources) {
  const rows = createCompatibleRows();
  const models = await openWorkerCatalog({
    ...{ imported: env.CATALOG, directory: env.JOURNAL_DIR, source, takeProviders: rows.take },
    ...{ show: createCatalogMetrics(registry), log },
  });
  return { rows, models, opened: await openProviders(env, { lookup: createEnvLookup(), transport, rows, registry, log }) };
}

function openForms(env: MediaEnv): FormReceiver {
  return createFormReceiver({
    directory: env.UPLOAD_DIR,
    fileBytesMax: env.UPLOAD_FILE_BYTES_MAX,
    diskBytesMax: env.UPLOAD_DISK_BYTES_MAX,
    areDigested: true,
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`media-service could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
