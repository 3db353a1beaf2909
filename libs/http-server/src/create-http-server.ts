import type { EndpointRow } from '@weir/contracts';
import { GatewayError, toGatewayError } from '@weir/errors';
import { redactSecrets, type Logger, type RequestMetrics, type ServerMetrics, type Tracing } from '@weir/telemetry';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { answerBroken } from './answer-broken';
import { isAmbiguous } from './check-framing';
import { createRequestIdSource } from './create-request-id';
import { findErrorDialect } from './find-error-dialect';
import { createRouteFinder, NO_PARAMS, type FoundRoute } from './find-route';
import { listenOn } from './listen-on';
import { findWorkClass } from './load/class-of-work';
import { openConnectionBook, type ConnectionBook, type ConnectionLimits } from './load/connection-book';
import type { LoadShedder, WorkClass } from './load/load-shedder';
import { createRefusalSender } from './load/send-refusal';
import { createSlowClientWatch, SLOW_CLIENT_LIMITS, type SlowClientLimits } from './load/slow-client-watch';
import { createLineBudget } from './observe/line-budget';
import { asksForOverhead, tellOverhead } from './observe/tell-overhead';
import { tracePage, traceRequest } from './observe/trace-request';
import type { RequestScope } from './request-scope';
import { isBodyArriving, sendError } from './send-error';

export type HotHandler = (request: IncomingMessage, response: ServerResponse, scope: RequestScope) => Promise<void>;

export type HotRoute = {
  readonly endpoint: EndpointRow;
  readonly handle: HotHandler;
  /** Finds out by the head of a request whose it is; asked only while that decides whether it is refused. */
  readonly findWork?: (request: IncomingMessage) => WorkClass;
};

/** Inference routes, by `METHOD path`. They are looked up before Express sees the request. */
export type HotRoutes = ReadonlyMap<string, HotRoute>;

export type HttpServerOptions = {
  readonly hotRoutes: HotRoutes;
  readonly fallback: RequestListener;
  readonly log: Logger;
  readonly metrics: RequestMetrics;
  readonly now: () => number;
  readonly serverMetrics?: ServerMetrics;
  /** Absent: as many as the machine bears. */
  readonly connections?: ConnectionLimits;
  /** Refuses work while there is too much of it; absent: nothing is refused. */
  readonly load?: LoadShedder;
  /** Absent: nothing is traced. */
  readonly tracing?: Tracing | undefined;
  readonly slowClients?: SlowClientLimits;
};

export type WeirServer = {
  readonly server: Server;
  /** From now on every reply asks its connection to end, so that callers go elsewhere; requests are still served. */
  startDraining(): void;
  /** Refuses new connections; running requests get `timeoutMs`, then are cut. */
  drain(timeoutMs: number): Promise<void>;
};

export type RunningHttpServer = WeirServer & { readonly port: number };

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly scope: RequestScope };

const NO_LIMITS: ConnectionLimits = { max: Infinity, perAddressMax: null, proxyNetworks: [] };

/** Makes a server whose hot routes bypass Express; every request gets an id and one log line. */
export function createWeirServer(options: HttpServerOptions): WeirServer {
  const newRequestId = createRequestIdSource(options.now);
  const findRoute = createRouteFinder(options.hotRoutes);
  const slowClients = options.slowClients ?? SLOW_CLIENT_LIMITS;
  const server = createServer({
    noDelay: true,
    keepAliveTimeout: 75_000,
    headersTimeout: slowClients.headMs,
    // Bodies that are no uploads get less: see createSlowClientWatch.
    requestTimeout: slowClients.uploadMs,
    connectionsCheckingInterval: slowClients.checkEveryMs,
    maxHeaderSize: 32 * 1024,
  });
  const connections = openConnectionBook(server, options.connections ?? NO_LIMITS, options.serverMetrics);
  const watch = createSlowClientWatch(slowClients, options.serverMetrics);
  const tellEnd = createEndTeller(options);
  const running = new Set<Exchange>();
  let isDraining = false;
  const refuse = createRefuser(options, () => isDraining);

  server.on('request', (request, response) => {
    const path = readPath(request);
    const id = newRequestId();
    const found = findRoute(request.method ?? '', path);
    const route = found?.route;
    const exchange: Exchange = { request, response, scope: createScope(id, options, found) };
    const entry = isAmbiguous(request) ? AMBIGUOUS : enter(options.load, exchange, { path, route });
    running.add(exchange);
    watch.add(exchange);
    connections.requestStarted(request.socket);
    options.metrics.started();
    // One listener for all: each costs every request something.
    response.once('close', () => {
      running.delete(exchange);
      watch.remove(exchange);
      connections.requestEnded(request.socket);
      if (entry === 'counted') options.load?.left();
      tellEnd(exchange, path);
    });
    if (typeof entry === 'object') {
      refuse(exchange, { path, error: entry });
      return;
    }
    response.setHeader('x-request-id', id);
    if (isDraining) response.setHeader('connection', 'close');
    startTrace(options, exchange, path);
    if (asksForOverhead(request.headers)) tellOverhead(response, exchange.scope.startedMonotonicMs);
    if (route === undefined) options.fallback(request, response);
    else runHotRoute(options, route.handle, exchange);
  });
  server.on('clientError', (error, stream) => {
    const socket = stream as Socket;
    answerBroken({ error, socket, isAnswering: isAnsweringOn(socket, running) }, newRequestId());
  });
  server.once('close', () => watch.close());

  const startDraining = (): void => {
    isDraining = true;
    for (const { response } of running) if (!response.headersSent) response.setHeader('connection', 'close');
  };
  return {
    server,
    startDraining,
    drain: (timeoutMs) => {
      startDraining();
      return drain(server, connections, timeoutMs);
    },
  };
}

/** Listens; a server that runs knows its port. */
export async function listen(house: WeirServer, port: number, host: string): Promise<RunningHttpServer> {
  return { ...house, port: await listenOn(house.server, port, host) };
}

/** A stream's connection was promised to stay open when its head was sent: who has read it to the end may ask once more. */
const LINGER_MS = 500;

function drain(server: Server, connections: ConnectionBook, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
    // As an HTTP server it would close what is idle at this moment, the connection of a stream that has just ended included.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(cut);
      clearInterval(sweep);
      server.close(); // ends its timers
      resolve();
    });
    const closeIdle = (): void => connections.closeIdle(LINGER_MS);
    const sweep = setInterval(closeIdle, 50);
    closeIdle();
  });
}

function isAnsweringOn(socket: Socket, running: Iterable<Exchange>): boolean {
  for (const { request, response } of running) if (request.socket === socket && response.headersSent) return true;
  return false;
}

const OTHER_ENDPOINT: EndpointRow = {
  id: 'other',
  method: 'GET',
  path: '*',
  service: 'edge-router',
  body: 'none',
  permission: { kind: 'public' },
  preferredCredential: 'bearer',
  errorDialect: 'gateway',
};

/** Proxies may send the whole address; who is meant by it is not asked here. */
function toOriginForm(target: string): string {
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/i.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function readPath(request: IncomingMessage): string {
  if (request.url?.startsWith('/') === false) request.url = toOriginForm(request.url);
  const { url = '/' } = request;
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function createScope(id: string, { now, load }: HttpServerOptions, found: FoundRoute | undefined): RequestScope {
  return {
    id,
    startedAtMs: now(),
    startedMonotonicMs: performance.now(),
    endpoint: found?.route.endpoint ?? OTHER_ENDPOINT,
    params: found?.params ?? NO_PARAMS,
    notes: {},
    checkLoad: load?.check,
  };
}

type Destination = { readonly path: string; readonly route: HotRoute | undefined };

/** Asks for a place for a request: the refusal where it gets none, `uncounted` where it needs none. */
function enter(load: LoadShedder | undefined, { request, scope }: Exchange, to: Destination): GatewayError | 'counted' | 'uncounted' {
  if (load === undefined) return 'uncounted';
  let work = findWorkClass(to.path, request.method, to.route?.endpoint);
  if (work === null) return 'uncounted';
  if (to.route?.findWork !== undefined && load.isRefusing('unpaid')) {
    work = to.route.findWork(request);
    scope.work = work;
  }
  const refusal = load.findRefusal(work);
  if (refusal !== undefined) return refusal;
  load.entered();
  return 'counted';
}

const AMBIGUOUS = new GatewayError('invalid_request', 'Send one Host header, and a body either with Content-Length or in chunks.');

/** Answers before anything was done for the request: where there is too much to do, a refusal has to cost next to nothing. */
function createRefuser({ metrics }: HttpServerOptions, isDraining: () => boolean): (exchange: Exchange, refusal: Refusal) => void {
  const sendRefusal = createRefusalSender();
  return ({ request, response, scope }, { path, error }) => {
    scope.notes['error'] = error.code;
    if (!isOther(scope)) metrics.failed(scope.endpoint.id, error.code);
    const about = { requestId: scope.id, dialect: findDialect(path, scope.endpoint), endpointId: scope.endpoint.id };
    if (error !== AMBIGUOUS && !isDraining() && !isBodyArriving(request)) {
      sendRefusal(response, error, about);
      return;
    }
    response.setHeader('x-request-id', scope.id);
    // What follows an ambiguous request may be part of its body, or another request: nobody can know.
    if (error === AMBIGUOUS || isDraining()) response.setHeader('connection', 'close');
    sendError(response, error, about);
  };
}

type Refusal = { readonly path: string; readonly error: GatewayError };

function isOther({ endpoint }: RequestScope): boolean {
  return endpoint === OTHER_ENDPOINT;
}

function findDialect(path: string, endpoint: EndpointRow): EndpointRow['errorDialect'] {
  return endpoint === OTHER_ENDPOINT ? findErrorDialect(path) : endpoint.errorDialect;
}

function startTrace({ tracing }: HttpServerOptions, exchange: Exchange, path: string): void {
  if (tracing === undefined) return;
  if (!isOther(exchange.scope)) traceRequest(tracing, exchange);
  else if (!isProbe(path)) tracePage(tracing, exchange);
}

/** Lines a second about requests that were refused for load; what was kept back, the next line tells. */
const REFUSAL_LINES_PER_SECOND = 20;

/** Counts a request that is over, and writes its line. */
function createEndTeller({ metrics, log }: HttpServerOptions): (exchange: Exchange, path: string) => void {
  const refusalLines = createLineBudget(REFUSAL_LINES_PER_SECOND);
  return ({ request, response, scope }, path) => {
    const durationMs = performance.now() - scope.startedMonotonicMs;
    metrics.finished(scope.endpoint.id, response.statusCode, durationMs);
    if (isOther(scope) && isProbe(path)) return;
    const keptBack = scope.notes['error'] === 'overloaded' ? refusalLines.take() : 0;
    if (keptBack === null) return;
    if (keptBack > 0) scope.notes['refusalsNotLogged'] = keptBack;
    log.info(
      {
        requestId: scope.id,
        method: request.method,
        // Keys belong into no address, and some put theirs there.
        path: path === scope.endpoint.path ? path : redactSecrets(path),
        status: response.statusCode,
        complete: response.writableFinished,
        durationMs: Math.round(durationMs * 10) / 10,
        ...scope.notes,
      },
      'request',
    );
  };
}

/** Probes come every few seconds for ever; a line for each tells nobody anything. */
function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

function runHotRoute(options: HttpServerOptions, handle: HotHandler, exchange: Exchange): void {
  handle(exchange.request, exchange.response, exchange.scope).catch((thrown: unknown) => {
    const error = toGatewayError(thrown);
    noteError(options, error, exchange.scope);
    if (exchange.response.destroyed) return;
    sendError(exchange.response, error, {
      requestId: exchange.scope.id,
      dialect: exchange.scope.endpoint.errorDialect,
      endpointId: exchange.scope.endpoint.id,
    });
  });
}

function noteError(options: HttpServerOptions, error: GatewayError, scope: RequestScope): void {
  scope.notes['error'] = error.code;
  options.metrics.failed(scope.endpoint.id, error.code);
  if (error.code === 'internal') options.log.error({ requestId: scope.id, error: error.cause }, 'request failed by our own fault');
}
