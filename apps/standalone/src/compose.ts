import { composeChatTranslator } from '@weir/chat-translator';
import { createEnvLookup } from '@weir/config';
import { createChangeLog, createDataKeyStore, createHoldTruth, createKeyDirectory, createOrganizationDirectory } from '@weir/database';
import { composeEdgeRouter, createInProcessForward, type EdgeRouter, type ForwardToService } from '@weir/edge-router';
import { createAddressRule, createGuardedFetcher, type GuardedFetcher } from '@weir/guarded-fetch';
import { runService, type RunningService } from '@weir/http-server';
import { createRecordedPayments } from '@weir/limits';
import { composeManagementApi, createIdentityProvider, type ManagementApi } from '@weir/management-api';
import { composeMediaService } from '@weir/media-service';
import { createCatalog, type ModelCatalog } from '@weir/model-catalog';
import { createProviderAccounts, createProviderDirectory, type ProviderAccounts, type ProviderDirectory } from '@weir/providers';
import { createKeyRing, createVault, type Vault } from '@weir/sealing';
import { createHoldMetrics, createMetricsRegistry, type Logger, type MetricsRegistry } from '@weir/telemetry';
import { createUpstreamTransport } from '@weir/upstream-http';
import { startMoneyTasks } from '@weir/usage-aggregator';
import type { StandaloneEnv } from './env';
import { importedModelsPath, readImportedModels } from './imported-models';
import type { DataParts } from './open-data-parts';
import { openMeteringParts, type MeteringParts } from './open-metering-parts';
import type { Secrets } from './open-secrets';

export type HouseParts = { readonly env: StandaloneEnv; readonly log: Logger; readonly secrets: Secrets; readonly data: DataParts };

type World = { readonly catalog: ModelCatalog; readonly providers: ProviderDirectory; readonly accounts: ProviderAccounts };

/** Joins the five services in one process and opens the door. */
export async function startHouse(parts: HouseParts): Promise<RunningService> {
  const { env, log, data } = parts;
  const registry = createMetricsRegistry();
  const upstream = createUpstreamTransport({
    connectTimeoutMs: env.UPSTREAM_CONNECT_TIMEOUT_MS,
    connectionsMax: env.UPSTREAM_CONNECTIONS_MAX,
  });
  const world: World = {
    catalog: createCatalog(env.CATALOG ?? readImportedModels(importedModelsPath(env.DATA_DIR))),
    providers: createProviderDirectory({ env: createEnvLookup(), transport: upstream.send }),
    accounts: createProviderAccounts({ transport: upstream.send }),
  };
  const money = await openMeteringParts(parts, registry);
  const edge = composeEdge(parts, world, { forward: composeWorkers(parts, world, money), registry });
  const management = composeManagement(parts, world, { edge, money });
  const stopWatching = await edge.start();
  const stopUpkeep = management.start();
  const moneyTasks = startMoneyTasks({
    ...{ database: data.database, notify: () => data.changeNotices.notify(), now: Date.now, log },
    vault: createHouseVault(parts),
    fetcher: createHouseFetcher(env),
    payments: env.AUTO_TOP_UP === 'recorded' ? createRecordedPayments() : undefined,
  });
  return runService({
    port: env.PORT,
    host: env.HOST,
    log,
    registry,
    hotRoutes: edge.hotRoutes,
    mount: (app) => {
      app.use(management.router);
      edge.mount(app);
    },
    checks: [() => checkDatabase(data), () => (money.metering.isReady() ? null : 'the usage journal does not accept records')],
    requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
    onStop: async () => {
      await stopWatching();
      await stopUpkeep();
      await moneyTasks.stop();
      await money.close();
      await upstream.close();
      await data.close();
    },
  });
}

function createHouseVault({ secrets, data }: HouseParts): Vault {
  return createVault({ keyRing: createKeyRing(secrets.sealingKey), store: createDataKeyStore(data.database.pool) });
}

function createHouseFetcher(env: StandaloneEnv): GuardedFetcher {
  return createGuardedFetcher({ ports: env.FETCH_PORTS, isAllowedAddress: createAddressRule(env.FETCH_PRIVATE_NETWORKS) });
}

function composeManagement(
  house: HouseParts,
  { catalog, accounts }: World,
  { edge, money }: { edge: EdgeRouter; money: MeteringParts },
): ManagementApi {
  const { env, data, secrets, log } = house;
  return composeManagementApi({
    database: data.database,
    usageStore: money.usageStore,
    authenticate: edge.authenticate,
    changeNotices: data.changeNotices,
    catalog,
    vault: createHouseVault(house),
    urlGuard: createHouseFetcher(env),
    providerAccounts: accounts,
    pepper: secrets.keyPepper,
    identityProvider: createIdentityProvider(env),
    now: Date.now,
    log,
  });
}

function composeWorkers({ env, log, data }: HouseParts, { catalog, providers }: World, { metering }: MeteringParts): ForwardToService {
  const chatTranslator = composeChatTranslator({
    providers,
    catalog,
    till: metering.till,
    finishHold: metering.finishHold,
    freeModelDays: data.freeModelDays,
    onPlaceLost: (error) => log.warn({ error }, 'a place of a free-model day could not be given back'),
    isMeteringReady: metering.isReady,
    whenDurable: metering.whenDurable,
    headersTimeoutMs: env.UPSTREAM_HEADERS_TIMEOUT_MS,
    idleTimeoutMs: env.UPSTREAM_IDLE_TIMEOUT_MS,
    heartbeatMs: env.STREAM_HEARTBEAT_MS,
    now: Date.now,
    inlining: {
      fetcher: createHouseFetcher(env),
      bytesMax: env.INLINE_BYTES_MAX,
    },
  });
  return createInProcessForward({ 'chat-translator': chatTranslator.handle, 'media-service': composeMediaService().handle });
}

function composeEdge(
  { env, log, secrets, data }: HouseParts,
  { catalog, providers }: World,
  { forward, registry }: { forward: ForwardToService; registry: MetricsRegistry },
): EdgeRouter {
  return composeEdgeRouter({
    catalog,
    providers,
    keyDirectory: createKeyDirectory(data.database.pool),
    organizationDirectory: createOrganizationDirectory(data.database.pool),
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
    keyPepper: secrets.keyPepper,
    forward,
    defaultChatModel: env.DEFAULT_CHAT_MODEL,
    bodyBytesMax: env.JSON_BODY_BYTES_MAX,
    requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
    now: Date.now,
    log,
  });
}

async function checkDatabase({ database }: DataParts): Promise<null> {
  await database.pool.query('select 1');
  return null;
}
