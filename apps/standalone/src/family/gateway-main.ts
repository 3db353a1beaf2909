// Serves requests: edge and workers in one process, whose connections, limits and books are kept by others. Started by main.ts.
import { createEnvLookup, loadEnv, warnOfMisspelt } from '@weir/config';
import { ENDPOINTS, type EndpointRow } from '@weir/contracts';
import { createDatabase } from '@weir/database';
import type { EdgeRouter } from '@weir/edge-router';
import { providerTimeHeader } from '@weir/exchange';
import { createLentPort, describePublicLimits, runService, type RunningService } from '@weir/http-server';
import { openObservedMetering } from '@weir/meter';
import { listKeySettingNames, nameInTraces, type ProviderDirectory } from '@weir/providers';
import type { Link } from '@weir/process-links';
import { createLogger, isForPeople, openMetricsRegistry, openTracing, type Logger } from '@weir/telemetry';
import { openUpstream } from '@weir/upstream-http';
import type { Express } from 'express';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { checkProviderKeys } from '../check-provider-keys';
import { composeEdge, composeWorkers, openSharedParts, startReports } from '../compose-serving';
import { describeProviders } from '../describe-providers';
import { standaloneEnv, type StandaloneEnv } from '../env';
import type { ServingData } from '../data-parts';
import { openFiles } from '../open-files';
import { warmCatalog } from '../open-catalog-parts';
import { openSecrets } from '../open-secrets';
import { describeHealth } from '../own-parts';
import type { GatewayBrief, GatewayReady } from './brief';
import { openLinkedParts } from './open-linked-parts';
import { failForParent, openParentLink, stopForParent } from './parent-link';
import { createPassToBooks } from './pass-to-books';
import { shareSettings } from './share-settings';

/** Without the books a gateway serves on from what it remembers, but not for long. */
const BOOKS_MISSED_MS = 30_000;

/** What is ready before there is a database. */
type Gateway = {
  readonly env: StandaloneEnv;
  readonly brief: GatewayBrief;
  readonly log: Logger;
  readonly link: Link;
  readonly databaseUrl: string;
};

async function main(link: Link): Promise<void> {
  const recovered = new Promise<string>((resolve) => link.serve({ database: resolve }));
  const brief = await link.call<GatewayBrief>('brief');
  const env = shareSettings(loadEnv(standaloneEnv), brief.gateways);
  const log = createLogger({ service: brief.name, level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  if (brief.isFirst) warnOfMisspelt(standaloneEnv, log, listKeySettingNames());
  const lent = createLentPort(brief.port);
  warmCatalog(env);
  // Counters that are asked before they know what earlier processes left would let limits be spent twice.
  const databaseUrl = brief.databaseUrl ?? (await recovered);
  const { service, providers } = await serve({ env, brief, log, link, databaseUrl }, lent);
  process.on('message', ({ socket: took }: { socket: number }, socket: Socket) => {
    process.send?.({ took });
    lent.take(socket);
  });
  stopForParent(link, service, (code) => process.exit(code));
  const ready: GatewayReady = { metricsPort: service.metricsPort, providers: describeProviders(providers) };
  await link.call('ready', ready);
  // An operator at the terminal can correct a key; elsewhere the first request shows it.
  if (brief.isFirst && isForPeople(env.LOG_FORMAT)) void checkProviderKeys({ providers, env: createEnvLookup(), log });
}

async function serve(
  { env, brief, log, link, databaseUrl }: Gateway,
  lent: ReturnType<typeof createLentPort>,
): Promise<{ service: RunningService; providers: ProviderDirectory }> {
  const registry = openMetricsRegistry('standalone', env, log);
  const tracing = await openTracing('standalone', env);
  const database = createDatabase({ url: databaseUrl, poolMax: env.DATABASE_POOL_MAX, log });
  const data: ServingData = { ...(await openLinkedParts(link)(env, database, log)), database };
  data.showIn(registry);
  const upstream = openUpstream(env, registry);
  const money = openObservedMetering({
    ...{ settings: env, registry, log, tracing, nameProvider: nameInTraces, providerTime: providerTimeHeader },
    directory: join(env.DATA_DIR, 'journal'),
    publisher: null,
    stores: data,
    onFailure: () => process.exit(1),
  });
  const send = money.observer.traceCalls(upstream.send);
  const shared = await openSharedParts(env, { files: openFiles(env, log, { isSwept: false }), send, registry, log, data });
  const own = { env: { ...env, UPLOAD_DIR: join(env.UPLOAD_DIR ?? join(env.DATA_DIR, 'uploads'), brief.name) }, log, data };
  const parts = { ...own, secrets: openSecrets(env.DATA_DIR, env) };
  const edge = composeEdge(parts, shared, composeWorkers(parts, shared, money), registry);
  const stopWatching = await edge.start();
  const books = watchBooks(link);
  const stopReports = startReports(parts, shared);
  const service = await runService({
    ...{ port: brief.port, taken: lent, log, registry, tracing },
    // Its own metrics and health, for the process that puts all of them together.
    ...{ host: '127.0.0.1', metricsPort: { asked: 0, usual: 0 } },
    hotRoutes: edge.hotRoutes,
    upgrades: edge.upgrades,
    mount: (app) => mountPages(app, { env, edge, pass: createPassToBooks({ port: books.port, innerSecret: brief.innerSecret }) }),
    health: describeHealth(data, money.metering, {
      books: () => (books.missedMs() < BOOKS_MISSED_MS ? null : 'the process that keeps the books is away'),
    }),
    limits: describePublicLimits(env),
    onStop: async () => {
      await shared.models.stop();
      await stopReports();
      await stopWatching();
      await money.close('published');
      await upstream.close();
      await shared.files.close();
      await tracing?.close();
      await data.close();
      await database.close();
    },
  });
  return { service, providers: shared.providers };
}

/** Where the process that keeps the books is served, as the one that started both says. */
function watchBooks(link: Link) {
  let port: number | undefined;
  let missedSince = performance.now();
  link.serve({
    books: (now: number | undefined) => {
      if (now === undefined && port !== undefined) missedSince = performance.now();
      port = now;
    },
  });
  return { port: () => port, missedMs: () => (port === undefined ? performance.now() - missedSince : 0) };
}

type Pages = { readonly env: StandaloneEnv; readonly edge: EdgeRouter; readonly pass: ReturnType<typeof createPassToBooks> };

/** The management interface is passed on, route by route, so that methods and paths that it has not are refused here. */
function mountPages(app: Express, { env, edge, pass }: Pages): void {
  for (const { service, method, path } of ENDPOINTS as readonly EndpointRow[]) {
    if (service === 'management-api') app[method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'](path, pass);
  }
  if (env.KEYCLOAK_URL !== undefined || env.SESSION_OIDC_AUDIENCE !== undefined) app.post('/v1/session', pass);
  if (env.SECRET_ALERT_KEYS_URL !== undefined) app.post('/internal/secret-alert', pass);
  if (env.CONSOLE) app.all(['/console', '/console/*path'], pass);
  edge.mount(app);
}

// As if it were killed when the link is lost: what runs is in the journal, and the next gateway recovers it.
const link = openParentLink(() => process.exit(1));
main(link).catch((error: unknown) => failForParent(link, error));
