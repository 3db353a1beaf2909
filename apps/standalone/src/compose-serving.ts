import { composeChatTranslator, openScanners } from '@weir/chat-translator';
import { createEnvLookup } from '@weir/config';
import {
  createChangeLog,
  createGenerationReader,
  createRefusalStore,
  createHoldTruth,
  createKeyDirectory,
  createOrganizationDirectory,
} from '@weir/database';
import { composeEdgeRouter, createInProcessForward, openRuleParts, type EdgeRouter, type ForwardToService } from '@weir/edge-router';
import { startProcessReports } from '@weir/exchange';
import { createFormReceiver } from '@weir/http-server';
import { composeMediaService, createLengthMeasurer } from '@weir/media-service';
import type { ObservedMetering } from '@weir/meter';
import { findOwnAccounts, isSpent, openProviders, readAllowance, type OpenAccounts, type ProviderDirectory } from '@weir/providers';
import { createPacing, createRouteHealth, type Pacing, type RouteHealth } from '@weir/routing';
import { createTransitSealer, type TransitSealer } from '@weir/sealing';
import { createHoldMetrics, createProviderQueueMetrics, createRoutingMetrics, type MetricsRegistry } from '@weir/telemetry';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { StandaloneEnv } from './env';
import { openCatalogParts, type CatalogParts, type CatalogSources } from './open-catalog-parts';
import type { LocalFiles } from './open-files';
import { readPeppers } from './open-secrets';
import { createFetcher, openVault, type OwnParts } from './own-parts';

/** What edge and workers share in a process that serves requests. */
type SharedParts = CatalogParts & {
  readonly files: LocalFiles;
  readonly providers: ProviderDirectory;
  /** The gateway's own accounts at them. */
  readonly opened: OpenAccounts;
  /** For organizations' own keys on their way from edge to worker, both being in this process. */
  readonly seal: TransitSealer;
  /** Of providers; one for the code that plans and the code that sends. */
  readonly health: RouteHealth;
  /** Of their rates; one for all workers of the process. */
  readonly pacing: Pacing;
  readonly onAttemptFailed: ReturnType<typeof createRoutingMetrics>['failed'];
};

type SharedSources = CatalogSources & { readonly files: LocalFiles };

export async function openSharedParts(env: StandaloneEnv, { files, ...sources }: SharedSources): Promise<SharedParts> {
  const { send, registry, log } = sources;
  const known = await openCatalogParts(env, sources);
  const { rows } = known;
  const opened = await openProviders(env, { lookup: createEnvLookup(), transport: send, rows, registry, log });
  const queues = createProviderQueueMetrics(registry, () => pacing.waiting());
  const pacing = createPacing({ queueMs: env.PROVIDER_QUEUE_MS, readAllowance, isSpent, onWaited: queues.waited });
  const health = createRouteHealth({ now: () => performance.now() });
  const routing = createRoutingMetrics(registry, { ejected: () => health.describe().ejected, allowances: () => pacing.allowances() });
  return {
    files,
    ...known,
    ...{ providers: opened.directory, opened },
    seal: createTransitSealer(randomBytes(32).toString('hex')),
    ...{ health, pacing, onAttemptFailed: routing.failed },
  };
}

/** What this process knows of providers, said to those that look. */
export function startReports({ data }: OwnParts, { health, providers }: Pick<SharedParts, 'health' | 'providers'>): () => Promise<void> {
  return startProcessReports({ reports: data.processReports, health, providers, now: Date.now });
}

export function composeWorkers(
  { env, log, secrets }: OwnParts,
  { catalog, rows, providers, opened, accounts, seal, health, pacing, onAttemptFailed, files }: SharedParts,
  { forWorkers }: Pick<ObservedMetering, 'forWorkers'>,
): ForwardToService {
  const fetcher = createFetcher(env);
  const scanners = openScanners(env);
  const shared = {
    ...forWorkers,
    requests: { ...forWorkers.requests, noteTokens: opened.noteTokens },
    providers: { find: findOwnAccounts({ providers, accounts, rows, openCredential: seal.open }), settingsOf: providers.settingsOf },
    catalog,
    headersTimeoutMs: env.UPSTREAM_HEADERS_TIMEOUT_MS,
    idleTimeoutMs: env.UPSTREAM_IDLE_TIMEOUT_MS,
    heartbeatMs: env.STREAM_HEARTBEAT_MS,
    now: Date.now,
    ...{ health, pacing, onAttemptFailed },
  };
  const chatTranslator = composeChatTranslator({
    ...shared,
    inlining: { fetcher, bytesMax: env.INLINE_BYTES_MAX },
    firstContentMs: env.STREAM_FIRST_CONTENT_MS,
    scanners,
  });
  const mediaService = composeMediaService({
    ...shared,
    fetcher,
    log,
    scanners,
    measureSeconds: createLengthMeasurer({ log }),
    files: { blobs: files.blobs, retentionDays: env.FILE_RETENTION_DAYS, organizationBytesMax: env.FILE_BYTES_PER_ORGANIZATION_MAX },
    results: { linkSecret: secrets.keyPepper, ttlMs: env.RESULT_RETENTION_MS, publicUrl: env.PUBLIC_URL },
  });
  return createInProcessForward({
    'chat-translator': chatTranslator.handle,
    'media-service': mediaService.handle,
  });
}

export function composeEdge(
  parts: OwnParts,
  { catalog, providers, opened, accounts, seal, health }: SharedParts,
  forward: ForwardToService,
  registry: MetricsRegistry,
): EdgeRouter {
  const { env, log, secrets, data } = parts;
  return composeEdgeRouter({
    catalog,
    providers,
    accounts: opened.accounts,
    keyDirectory: createKeyDirectory(data.database.pool, { peppers: readPeppers(secrets), log }),
    organizationDirectory: createOrganizationDirectory(data.database.pool),
    ...openRuleParts({ env, database: data.database, vault: openVault(parts), accounts, seal, cache: data.replyCache, registry, log }),
    health,
    generations: createGenerationReader(data.database.pool),
    refusals: createRefusalStore(data.database.pool),
    changeLog: createChangeLog(data.database.pool),
    changeNotices: data.changeNotices,
    rates: data.rates,
    freeModelDays: data.freeModelDays,
    holds: {
      store: data.holdStore,
      truth: createHoldTruth(data.database.pool),
      policy: { isBalanceRequired: env.BALANCE_REQUIRED },
      ttlMs: env.HOLD_TTL_MS,
      circuit: data.holdCircuit,
      count: createHoldMetrics(registry).count,
    },
    checkCounters: data.counters && (() => data.counters?.check()),
    keyPeppers: readPeppers(secrets),
    forward,
    defaultChatModel: env.DEFAULT_CHAT_MODEL,
    hasConsole: env.CONSOLE,
    bodyBytesMax: env.JSON_BODY_BYTES_MAX,
    forms: createFormReceiver({
      directory: env.UPLOAD_DIR ?? join(env.DATA_DIR, 'uploads'),
      fileBytesMax: env.UPLOAD_FILE_BYTES_MAX,
      diskBytesMax: env.UPLOAD_DISK_BYTES_MAX,
      areDigested: true,
    }),
    fileLinkSecret: secrets.keyPepper,
    requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
    now: Date.now,
    log,
  });
}
