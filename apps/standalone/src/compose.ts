import { composeChatTranslator } from '@weir/chat-translator';
import { createEnvLookup } from '@weir/config';
import { createChangeLog, createKeyDirectory } from '@weir/database';
import { composeEdgeRouter, createInProcessForward, type EdgeRouter, type ForwardToService } from '@weir/edge-router';
import { runService, type RunningService } from '@weir/http-server';
import { composeManagementApi } from '@weir/management-api';
import { composeMediaService } from '@weir/media-service';
import { createBuiltInCatalog, type ModelCatalog } from '@weir/model-catalog';
import { createProviderDirectory, type ProviderDirectory } from '@weir/providers';
import { createMetricsRegistry, type Logger } from '@weir/telemetry';
import { createUpstreamTransport } from '@weir/upstream-http';
import type { StandaloneEnv } from './env';
import type { DataParts } from './open-data-parts';
import { openMeteringParts, type MeteringParts } from './open-metering-parts';
import type { Secrets } from './open-secrets';

export type HouseParts = { readonly env: StandaloneEnv; readonly log: Logger; readonly secrets: Secrets; readonly data: DataParts };

type World = { readonly catalog: ModelCatalog; readonly providers: ProviderDirectory };

/** Joins the five services in one process and opens the door. */
export async function startHouse(parts: HouseParts): Promise<RunningService> {
  const { env, log, data } = parts;
  const registry = createMetricsRegistry();
  const upstream = createUpstreamTransport({
    connectTimeoutMs: env.UPSTREAM_CONNECT_TIMEOUT_MS,
    connectionsMax: env.UPSTREAM_CONNECTIONS_MAX,
  });
  const world: World = {
    catalog: createBuiltInCatalog(),
    providers: createProviderDirectory({ env: createEnvLookup(), transport: upstream.send }),
  };
  const money = await openMeteringParts(parts, registry);
  const edge = composeEdge(parts, world, composeWorkers(env, world, money));
  const management = composeManagementApi({
    database: data.database,
    usageStore: money.usageStore,
    authenticate: edge.authenticate,
    changeNotices: data.changeNotices,
    pepper: parts.secrets.keyPepper,
    now: Date.now,
    log,
  });
  const stopWatching = await edge.start();
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
      await money.close();
      await upstream.close();
      await data.close();
    },
  });
}

function composeWorkers(env: StandaloneEnv, { catalog, providers }: World, { metering }: MeteringParts): ForwardToService {
  const chatTranslator = composeChatTranslator({
    providers,
    catalog,
    till: metering.till,
    isMeteringReady: metering.isReady,
    whenDurable: metering.whenDurable,
    headersTimeoutMs: env.UPSTREAM_HEADERS_TIMEOUT_MS,
    idleTimeoutMs: env.UPSTREAM_IDLE_TIMEOUT_MS,
    heartbeatMs: env.STREAM_HEARTBEAT_MS,
    now: Date.now,
  });
  return createInProcessForward({ 'chat-translator': chatTranslator.handle, 'media-service': composeMediaService().handle });
}

function composeEdge({ env, log, secrets, data }: HouseParts, { catalog, providers }: World, forward: ForwardToService): EdgeRouter {
  return composeEdgeRouter({
    catalog,
    providers,
    keyDirectory: createKeyDirectory(data.database.pool),
    changeLog: createChangeLog(data.database.pool),
    changeNotices: data.changeNotices,
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
