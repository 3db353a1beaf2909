import { composeChatTranslator, openScanners } from '@weir/chat-translator';
import { createEnvLookup, readSmtpSettings } from '@weir/config';
import {
  createChangeLog,
  createDataKeyStore,
  createGenerationReader,
  createHoldTruth,
  createKeyDirectory,
  createOrganizationDirectory,
  openStoredCatalog,
  type StoredCatalog,
} from '@weir/database';
import { startProcessReports } from '@weir/exchange';
import { composeEdgeRouter, createInProcessForward, openRuleParts, type EdgeRouter, type ForwardToService } from '@weir/edge-router';
import { createAddressRule, createGuardedFetcher, type GuardedFetcher } from '@weir/guarded-fetch';
import { createFormReceiver, describePublicLimits, runService, type RunningService, type TakenPort } from '@weir/http-server';
import { createRecordedPayments } from '@weir/limits';
import {
  composeManagementApi,
  createIdentityProvider,
  createSecretAlerts,
  openConsole,
  openUsageStore,
  readConfigurationFile,
  readVariable,
  readOidcSettings,
  type Console,
  type ManagementApi,
} from '@weir/management-api';
import { composeMediaService, createLengthMeasurer } from '@weir/media-service';
import type { ObservedMetering } from '@weir/meter';
import type { ModelCatalog } from '@weir/model-catalog';
import {
  createCompatibleRows,
  createProviderAccounts,
  findOwnAccounts,
  inspectAccount,
  isSpent,
  openProviders,
  readAllowance,
  type CompatibleRows,
  type ProviderAccounts,
  type OpenAccounts,
  type ProviderDirectory,
} from '@weir/providers';
import { createPacing, createRouteHealth, type Pacing, type RouteHealth } from '@weir/routing';
import { createKeyRing, createTransitSealer, createVault, type TransitSealer, type Vault } from '@weir/sealing';
import {
  createCatalogMetrics,
  createHoldMetrics,
  createLimitPressureMetrics,
  createProviderQueueMetrics,
  createRoutingMetrics,
  createRowSecurityMetric,
  createConfigurationCounter,
  createSecretAlertCounter,
  openMetricsRegistry,
  openTracing,
  type Logger,
  type MetricsRegistry,
} from '@weir/telemetry';
import { openUpstream } from '@weir/upstream-http';
import type { UsageStore } from '@weir/usage';
import { openMailer, startLogExports, startMoneyTasks, startUsageFeed } from '@weir/usage-aggregator';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { StandaloneEnv } from './env';
import { importedModelsPath, readImportedModels } from './imported-models';
import type { DataParts, ServingData } from './open-data-parts';
import { openFiles, type LocalFiles } from './open-files';
import { openMeteringParts } from './open-metering-parts';
import { openUsageFiles } from './open-usage-files';
import { readPeppers, type Secrets } from './open-secrets';
import { describeLocalAddress } from './own-address';

/** What every process of the gateway has. */
export type OwnParts = {
  readonly env: StandaloneEnv;
  readonly log: Logger;
  readonly secrets: Secrets;
  readonly data: ServingData;
};

type StandaloneParts = OwnParts & {
  readonly data: DataParts;
  /** The gateway's port, where it was taken before. */
  readonly taken?: TakenPort;
};

/** What edge and workers share in a process that serves requests. */
type SharedParts = {
  readonly files: LocalFiles;
  readonly catalog: ModelCatalog;
  /** Follows changes of it. */
  readonly models: StoredCatalog;
  /** Providers that speak chat completions, which change with the catalogue. */
  readonly rows: CompatibleRows;
  readonly providers: ProviderDirectory;
  /** The gateway's own accounts at them. */
  readonly opened: OpenAccounts;
  readonly accounts: ProviderAccounts;
  /** For organizations' own keys on their way from edge to worker, both being in this process. */
  readonly seal: TransitSealer;
  /** Of providers; one for the code that plans and the code that sends. */
  readonly health: RouteHealth;
  /** Of their rates; one for all workers of the process. */
  readonly pacing: Pacing;
  readonly onAttemptFailed: ReturnType<typeof createRoutingMetrics>['failed'];
};

type Send = Parameters<typeof openProviders>[1]['transport'];

type RunningStandalone = RunningService & { readonly providers: ProviderDirectory; readonly console: Console | undefined };

/** Joins the five services in one process and starts serving. */
export async function startStandalone(parts: StandaloneParts): Promise<RunningStandalone> {
  const { env, log, data } = parts;
  const registry = openMetricsRegistry('standalone', env, log);
  createRowSecurityMetric(registry, data.database.rowSecurity);
  data.showIn(registry);
  const upstream = openUpstream(env, registry);
  const tracing = await openTracing('standalone', env);
  const money = await openMeteringParts({ ...parts, tracing }, registry);
  const send = money.observer.traceCalls(upstream.send);
  const shared = await openSharedParts(env, { files: openFiles(env, log, { isSwept: true }), send, registry, log, data });
  const edge = composeEdge(parts, shared, composeWorkers(parts, shared, money), registry);
  const { authenticate } = edge;
  const gateway: { url?: string } = {};
  const management = composeManagement(parts, shared, {
    ...{ authenticate, usageStore: money.usageStore, registry },
    // Known as soon as the port is taken; nothing is served before.
    gatewayUrl: () => gateway.url,
  });
  const stopWatching = await edge.start();
  const stopUpkeep = management.start();
  const stopReports = startReports(parts, shared);
  const moneyTasks = openMoneyTasks(parts, registry);
  const logExports = startLogExports({ service: 'standalone', settings: env, database: data.database, registry, log });
  const usageFeed = startUsageFeed({ settings: env, database: data.database, registry, log });
  const usageFiles = openUsageFiles(parts, registry);
  const service = await runService({
    port: env.PORT,
    taken: parts.taken,
    host: env.HOST,
    metricsPort: { asked: env.METRICS_PORT, usual: 9460 },
    log,
    registry,
    hotRoutes: edge.hotRoutes,
    mount: (app) => {
      app.use(management.router);
      edge.mount(app);
    },
    checks: [() => checkDatabase(data), () => (money.metering.isReady() ? null : 'the usage journal does not accept records')],
    limits: describePublicLimits(env),
    tracing,
    onStop: async () => {
      shared.opened.stop();
      await shared.models.stop();
      await stopReports();
      await stopWatching();
      await stopUpkeep();
      await logExports.stop();
      await usageFeed.stop();
      await usageFiles.stop();
      await moneyTasks.stop();
      await money.close();
      await upstream.close();
      await shared.files.close();
      await tracing?.close();
      await data.close();
    },
  });
  gateway.url = describeLocalAddress(env.HOST, service.port);
  return { ...service, providers: shared.providers, console: management.console };
}

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

type CatalogSources = Pick<OwnParts, 'data' | 'log'> & { readonly send: Send; readonly registry: MetricsRegistry };

/** What is known of models, and of the accounts by which they are called. */
export async function openCatalogParts(
  env: StandaloneEnv,
  { data, send, registry, log }: CatalogSources,
): Promise<Pick<SharedParts, 'catalog' | 'models' | 'rows' | 'accounts'>> {
  const rows = createCompatibleRows();
  const models = await openStoredCatalog({
    ...{ pool: data.database.pool, notices: data.changeNotices, log, show: createCatalogMetrics(registry) },
    ...{ imported: env.CATALOG ?? readImportedModels(importedModelsPath(env.DATA_DIR)), takeProviders: rows.take },
  });
  return {
    ...{ catalog: models.catalog, models, rows },
    accounts: createProviderAccounts({ transport: send, rows, env: createEnvLookup() }),
  };
}

export function openMoneyTasks(parts: OwnParts, registry: MetricsRegistry): ReturnType<typeof startMoneyTasks> {
  const { env, data, log } = parts;
  return startMoneyTasks({
    ...{ database: data.database, notify: () => data.changeNotices.notify(), now: Date.now, log },
    vault: openVault(parts),
    fetcher: createFetcher(env),
    mailer: openMailer(readSmtpSettings(env)),
    showLimits: createLimitPressureMetrics(registry),
    payments: env.AUTO_TOP_UP === 'recorded' ? createRecordedPayments() : undefined,
    isBalanceRequired: env.BALANCE_REQUIRED,
  });
}

function openVault({ secrets, data }: OwnParts): Vault {
  return createVault({ keyRing: createKeyRing(secrets.sealingKey), store: createDataKeyStore(data.database.pool) });
}

function createFetcher(env: StandaloneEnv): GuardedFetcher {
  return createGuardedFetcher({ ports: env.FETCH_PORTS, isAllowedAddress: createAddressRule(env.FETCH_PRIVATE_NETWORKS) });
}

type ManagementSources = {
  readonly authenticate: EdgeRouter['authenticate'];
  readonly usageStore: UsageStore;
  readonly registry: MetricsRegistry;
  /** Where the console calls the gateway, which is this one. */
  readonly gatewayUrl: () => string | undefined;
};

export function composeManagement(
  parts: OwnParts,
  { catalog, accounts }: Pick<SharedParts, 'catalog' | 'accounts'>,
  { authenticate, usageStore, registry, gatewayUrl }: ManagementSources,
): ManagementApi {
  const { env, data, secrets, log } = parts;
  const fetcher = createFetcher(env);
  return composeManagementApi({
    database: data.database,
    usageStore: openUsageStore({ settings: env, store: usageStore, database: data.database, registry, log }),
    authenticate,
    changeNotices: data.changeNotices,
    processReports: data.processReports,
    catalog,
    vault: openVault(parts),
    urlGuard: fetcher,
    sendsEmail: readSmtpSettings(env) !== undefined,
    secretAlerts: createSecretAlerts(env, { fetcher, count: createSecretAlertCounter(registry) }),
    oidc: readOidcSettings(env),
    console: openConsole(env, { sealingKey: secrets.sealingKey, gatewayUrl }),
    providerAccounts: {
      inspect: (provider, fields) => Promise.resolve(inspectAccount(accounts, provider, fields)),
      probe: accounts.probe,
    },
    peppers: readPeppers(secrets),
    identityProvider: createIdentityProvider(env),
    configurationFile: readConfigurationFile(env, { env: readVariable, count: createConfigurationCounter(registry) }),
    now: Date.now,
    log,
  });
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

export async function checkDatabase({ database }: Pick<ServingData, 'database'>): Promise<null> {
  await database.pool.query('select 1');
  return null;
}
