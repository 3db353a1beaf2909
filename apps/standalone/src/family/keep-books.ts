import { createAuthenticator, createKeyCache, createKeyDigests, readCredential, watchChanges } from '@weir/access';
import { createChangeLog, createKeyDirectory, type Database } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { describeInnerLimits, noteCallerAddress, runService, type RunningService } from '@weir/http-server';
import { waitForCounters, type OwnerAhead } from '@weir/limits';
import type { Console } from '@weir/management-api';
import { openBookkeeping, type Bookkeeping } from '@weir/meter';
import type { Link } from '@weir/process-links';
import { createRowSecurityMetric, openMetricsRegistry, openTracing, type Logger } from '@weir/telemetry';
import { openUpstream } from '@weir/upstream-http';
import { startLogExports, startUsageFeed } from '@weir/usage-aggregator';
import type { RequestHandler } from 'express';
import { join } from 'node:path';
import { checkManagementSettings, composeManagement } from '../compose-management';
import { ensureFirstKey } from '../ensure-first-key';
import { openCatalogParts } from '../open-catalog-parts';
import type { DataParts, SharedParts } from '../data-parts';
import type { StandaloneEnv } from '../env';
import { openDataParts } from '../open-data-parts';
import { openFiles } from '../open-files';
import { openAggregation } from '../open-metering-parts';
import { openMoneyTasks } from '../open-money-tasks';
import type { RunningPostgres } from '../open-postgres';
import { readPeppers, type Secrets } from '../open-secrets';
import { openUsageFiles } from '../open-usage-files';
import { describeLocalAddress } from '../own-address';
import { describeHealth, type OwnParts } from '../own-parts';
import { describeKey } from '../print-banner';
import { publishCounted } from '../publish-counted';
import type { BooksBrief, BooksReady } from './brief';
import { openLinkedParts } from './open-linked-parts';
import { CALLER_ADDRESS_HEADER, INNER_SECRET_HEADER } from './pass-to-books';

const RECOVER_WITHIN_MS = 30_000;
const SHIP_ON_STOP_MS = 10_000;

type Books = OwnParts & { readonly data: DataParts; readonly secrets: Secrets; readonly brief: BooksBrief };

type BooksParts = Omit<Books, 'data'> & { readonly postgres: RunningPostgres; readonly link: Link };

type RunningBooks = {
  readonly service: RunningService;
  readonly ready: BooksReady;
  /** Closes what keeps data, Postgres last. */
  close(): Promise<void>;
};

/** Brings the schema up to date, sees to the first key, recovers what earlier processes left, and serves management. */
export async function openBooks({ postgres, link, ...parts }: BooksParts): Promise<RunningBooks> {
  const data = await openDataParts(parts.env, parts.log, { postgres, openShared: openOwnedParts(link) });
  try {
    return await introduceBooks({ ...parts, data });
  } catch (error) {
    await data.close();
    throw error;
  }
}

async function introduceBooks(books: Books): Promise<RunningBooks> {
  const { env, data, secrets, brief } = books;
  const key = await ensureFirstKey(data.database, readPeppers(secrets), env.BOOTSTRAP_API_KEY);
  // At once: what fails from here on must not take it along.
  if (brief.isFirst) process.stdout.write(`\n${describeKey(key)}\n\n`);
  const { service, console } = await keepBooks(books);
  const { port, metricsPort } = service;
  // Shown once, by the process that started this one: no other link is of use.
  const consoleLink = brief.isFirst ? console?.offerLink(key?.value) : undefined;
  return { service, ready: { databaseUrl: data.url, port, metricsPort, key, consoleLink }, close: data.close };
}

type KeptBooks = { readonly service: RunningService; readonly console: Console | undefined };

async function keepBooks(books: Books): Promise<KeptBooks> {
  const { env, log, data, brief } = books;
  checkManagementSettings(env);
  const registry = openMetricsRegistry('standalone', env, log);
  createRowSecurityMetric(registry, data.database.rowSecurity);
  const tracing = await openTracing('standalone', env);
  const { usageStore, aggregator } = await openAggregation({ env, log, data, tracing }, registry);
  const bookkeeping = await openShipping(books, registry);
  const upstream = openUpstream(env, registry);
  const files = openFiles(env, log, { isSwept: true });
  const access = await openAccess(books);
  const { authenticate } = access;
  const known = await openCatalogParts(env, { data, send: upstream.send, registry, log });
  const management = composeManagement(books, known, {
    ...{ authenticate, usageStore, registry },
    gatewayUrl: () => describeLocalAddress(env.HOST, brief.port),
  });
  const stopUpkeep = management.start();
  const moneyTasks = openMoneyTasks(books, registry);
  const logExports = startLogExports({ service: 'standalone', settings: env, database: data.database, registry, log });
  const usageFeed = startUsageFeed({ settings: env, database: data.database, registry, log });
  const usageFiles = openUsageFiles(books, registry);
  const service = await runService({
    // Reached by the gateways of this machine alone.
    ...{ port: 0, host: '127.0.0.1', metricsPort: { asked: 0, usual: 0 } },
    ...{ log, registry, tracing },
    mount: (app) => {
      app.use(acceptPassedOn(brief.innerSecret));
      app.use(management.router);
    },
    health: describeHealth(data),
    limits: { ...describeInnerLimits({ ...env, DRAIN_DELAY_MS: 0 }), isBehindEdge: true },
    onStop: async () => {
      await known.models.stop();
      await access.stop();
      await stopUpkeep();
      await logExports.stop();
      await usageFeed.stop();
      await usageFiles.stop();
      await moneyTasks.stop();
      await bookkeeping.drain(SHIP_ON_STOP_MS);
      await bookkeeping.close();
      await aggregator.stop();
      await data.bus.publisher.close();
      await upstream.close();
      await files.close();
      await tracing?.close();
      await data.close();
    },
  });
  return { service, console: management.console };
}

/** The counters are in the process that started this one, which owns them before anything is counted and until everything is. */
function openOwnedParts(link: Link) {
  return async (env: StandaloneEnv, database: Database, log: Logger): Promise<SharedParts> => {
    const parts = await openLinkedParts(link)(env, database, log);
    if (env.REDIS_URL !== undefined) return parts;
    await waitForCounters({ take: () => link.call<OwnerAhead | undefined>('counters.take'), waitMs: env.COUNTERS_OWNER_WAIT_MS, log });
    // Where that process is gone, the next gateway sees it.
    return { ...parts, close: () => link.call<void>('counters.release').catch(() => undefined) };
  };
}

/** Of all processes that only append: those that live, and what those before them left. */
async function openShipping(
  { env, log, data, brief }: Books,
  registry: Parameters<typeof openBookkeeping>[0]['registry'],
): Promise<Bookkeeping> {
  if (brief.isFirst && data.holdCircuit === null) await publishCounted(data);
  const bookkeeping = await openBookkeeping({
    ...{ settings: env, registry, log, watermarks: data.watermarks, store: data.holdStore },
    directory: join(env.DATA_DIR, 'journal'),
    publish: (events) => data.bus.publisher.publish(events),
    onFailure: () => process.exit(1),
    canBeLost: data.holdCircuit !== null,
  });
  // Counters in memory start from Postgres: what processes before this gateway left has to be in there first.
  if (brief.isFirst && data.holdCircuit === null && !(await bookkeeping.drain(RECOVER_WITHIN_MS))) await bookkeeping.reportHoldsAgain();
  return bookkeeping;
}

/** Who is calling, as a process of its own knows it. */
async function openAccess({ data, secrets, log }: Books) {
  const peppers = readPeppers(secrets);
  const { pool } = data.database;
  const cache = createKeyCache({ directory: createKeyDirectory(pool, { peppers, log }), now: Date.now });
  const authenticator = createAuthenticator({ cache, digest: createKeyDigests(peppers), now: Date.now });
  const stop = await watchChanges({
    changeLog: createChangeLog(pool),
    notices: data.changeNotices,
    cache,
    onError: (error) => log.warn({ error }, 'the change log could not be read; trying again'),
  });
  const authenticate = async (request: { headers: Parameters<typeof readCredential>[0] }) =>
    authenticator.authenticate(readCredential(request.headers, 'bearer'));
  return { authenticate, stop };
}

/** Requests come from gateways, which say where they had them from. Nothing else is served. */
function acceptPassedOn(innerSecret: string): RequestHandler {
  return (request, _response, next) => {
    if (request.get(INNER_SECRET_HEADER) !== innerSecret) return next(new GatewayError('not_found', 'There is nothing here.'));
    noteCallerAddress(request, request.get(CALLER_ADDRESS_HEADER) ?? '');
    // What the console passes on goes to a gateway again, which takes such headers for what a caller says of a request.
    delete request.headers[INNER_SECRET_HEADER];
    delete request.headers[CALLER_ADDRESS_HEADER];
    next();
  };
}
