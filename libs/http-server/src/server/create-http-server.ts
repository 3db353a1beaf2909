import { OpenItems } from '@weir/collections';
import { NOT_BEGUN_HEADER, REQUEST_ID_HEADER, type EndpointRow } from '@weir/contracts';
import { GatewayError, toGatewayError } from '@weir/errors';
import { describeTrace, type Logger, type RequestMetrics, type ServerMetrics, type Tracing } from '@weir/telemetry';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addHeader, handOverHeaders } from '../connections/reply-response';
import { refuseMalformed } from '../replies/refuse-malformed';
import { isAmbiguous } from '../requests/check-framing';
import { createNodeServer } from '../connections/create-node-server';
import { createRequestIdSource } from '../requests/create-request-id';
import { closeAfterResponse, drain, KEEP_ALIVE, KEEP_ALIVE_HEADER, setKeepAlive } from '../connections/end-connections';
import { explainListening } from '../connections/explain-listening';
import { findErrorDialect } from '../replies/find-error-dialect';
import { createRouteFinder, NO_PARAMS, type FoundRoute } from '../requests/find-route';
import { listenOn } from '../connections/listen-on';
import { createRequestNotes } from '../requests/request-notes';
import { findRequestPriority, REQUEST_PRIORITIES } from '../requests/request-priority';
import { openConnectionBook, type ConnectionLimits } from '../connections/connection-book';
import type { LoadShedder } from '../load/load-shedder';
import { createLoadRefuser, type Arrived } from '../load/refuse-for-load';
import {
  createSlowClientWatch,
  SLOW_CLIENT_LIMITS,
  startProgress,
  type SlowClientLimits,
  type WatchedClient,
} from '../connections/slow-client-watch';
import { serveUpgrades, type UpgradeHandler } from './serve-upgrades';
import { countStreams } from '../observe/count-streams';
import { createRequestReport, isProbe, OTHER_ENDPOINT_ID } from '../observe/report-end';
import { asksForOverhead, reportOverhead } from '../observe/report-overhead';
import { tracePage, traceRequest } from '../observe/trace-request';
import type { HotRoute, HotRoutes } from '../requests/hot-routes';
import type { RequestPriority } from '../requests/request-priority';
import type { RequestScope, ServedRequest } from '../requests/request-scope';
import { sendError } from '../replies/send-error';

export type HttpServerOptions = {
  readonly hotRoutes: HotRoutes;
  readonly fallback: RequestListener;
  readonly log: Logger;
  readonly metrics: RequestMetrics;
  readonly now: () => number;
  readonly serverMetrics?: ServerMetrics;
  /** Absent: as many as the machine bears. */
  readonly connections?: ConnectionLimits;
  /** Refuses requests while there are too many; absent: nothing is refused. */
  readonly load?: LoadShedder;
  /** Absent: nothing is traced. */
  readonly tracing?: Tracing | undefined;
  readonly slowClients?: SlowClientLimits;
  /** Only edges call: a request keeps the id it got there, and refusals for load say that nothing was begun. */
  readonly isBehindEdge?: boolean | undefined;
  /** How long a connection without a request stays open while the server drains; absent: half a second. */
  readonly lingerMs?: number | undefined;
  /** One that listens already; absent: one is made. */
  readonly server?: Server | undefined;
  /** Absent: nothing is upgraded. */
  readonly upgrades?: UpgradeHandler | undefined;
};

type WeirServer = {
  readonly server: Server;
  /** How many requests are running. */
  runningRequests(): number;
  /** From now on every reply asks its connection to end, so that callers go elsewhere; requests are still served. */
  startDraining(): void;
  /** Refuses new connections; running requests get `timeoutMs`, then are cut. */
  drain(timeoutMs: number): Promise<void>;
  /** Closes all connections, whatever is under way on them. */
  cut(): void;
};

export type RunningHttpServer = WeirServer & { readonly port: number };

/** A stream's connection was promised to stay open when its head was sent: who has read it to the end may ask once more. */
const LINGER_MS = 500;
const NO_LIMITS: ConnectionLimits = { max: Infinity, perAddressMax: null, proxyNetworks: [] };

/** Makes a server whose hot routes bypass Express; every request gets an id and one log line. */
export function createWeirServer(options: HttpServerOptions): WeirServer {
  const newRequestId = createRequestIdSource(options.now);
  const findRequestId =
    options.isBehindEdge === true ? (request: IncomingMessage) => readRequestId(request) ?? newRequestId() : newRequestId;
  const findRoute = createRouteFinder(options.hotRoutes);
  const slowClients = options.slowClients ?? SLOW_CLIENT_LIMITS;
  const server = options.server ?? createNodeServer(slowClients);
  const connections = openConnectionBook(server, options.connections ?? NO_LIMITS, options.serverMetrics);
  const report = createRequestReport(options);
  const running = new OpenItems<WatchedClient>();
  const watch = createSlowClientWatch({ limits: slowClients, metrics: options.serverMetrics, running });
  options.serverMetrics?.streams(() => countStreams(running));
  let isDraining = false;
  const refuseForLoad = createLoadRefuser({ findRequestId, report: report.refusedForLoad, headers: describeRefusals(options) });

  server.on('request', (request, response) => {
    const path = readPath(request);
    const found = findRoute(request.method ?? '', path);
    const to = { path, route: found?.route };
    const { priority, caller, error } = enter(options.load, request, to);
    const isOverload = priority !== null && error !== undefined;
    if (isOverload && !isDraining && refuseForLoad(describeArrived(request, response, to), error)) return;
    const id = findRequestId(request);
    const { socket } = request;
    const exchange = { request, response, scope: createScope(id, options, found, priority), client: startProgress(socket) };
    const isCounted = priority !== null && error === undefined;
    if (isCounted) options.load?.entered(caller);
    const place = running.add(exchange);
    const connection = connections.requestStarted(socket);
    options.metrics.started();
    // One listener for all: each costs every request something.
    response.on('close', () => {
      const nowMs = performance.now();
      running.remove(place);
      connections.requestEnded(connection, nowMs);
      if (isCounted) options.load?.left(caller);
      report.ended(exchange, path, nowMs);
    });
    addHeader(response, 'x-request-id', id);
    if (isDraining) closeAfterResponse(response);
    else setKeepAlive(response);
    if (error === undefined) serve(options, exchange, to);
    else refuse(options, exchange, path, error);
  });
  server.on('clientError', (error, stream) => {
    const socket = stream as Socket;
    refuseMalformed({ error, socket, isReplying: isReplyingOn(socket, running) }, newRequestId());
  });
  if (options.upgrades !== undefined) serveUpgrades(server, options.upgrades, connections, newRequestId);
  server.once('close', () => watch.close());

  const startDraining = (): void => {
    isDraining = true;
    options.upgrades?.startDraining();
    for (const { response } of running) if (!response.headersSent) closeAfterResponse(response);
  };
  return {
    server,
    runningRequests: () => running.size,
    startDraining,
    drain: (timeoutMs) => {
      startDraining();
      return drain(server, connections, { timeoutMs, lingerMs: options.lingerMs ?? LINGER_MS });
    },
    cut: () => connections.closeAll(),
  };
}

/** Listens; a server that runs knows its port. */
export async function listen(weirServer: WeirServer, port: number, host: string): Promise<RunningHttpServer> {
  const taken = await listenOn(weirServer.server, port, host).catch(async (error: unknown) => {
    throw await explainListening(error, { port, host, setting: 'PORT' });
  });
  return { ...weirServer, port: taken };
}

function isReplyingOn(socket: Socket, running: Iterable<ServedRequest>): boolean {
  for (const { request, response } of running) if (request.socket === socket && response.headersSent) return true;
  return false;
}

const REQUEST_ID = /^[0-9a-f-]{36}$/;

function readRequestId({ headers }: IncomingMessage): string | undefined {
  const given = headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : undefined;
}

const OTHER_ENDPOINT: EndpointRow = {
  id: OTHER_ENDPOINT_ID,
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

function createScope(
  id: string,
  { now, load }: HttpServerOptions,
  found: FoundRoute | undefined,
  priority: RequestPriority | null,
): RequestScope {
  return {
    id,
    startedAtMs: now(),
    startedMonotonicMs: performance.now(),
    endpoint: found?.route.endpoint ?? OTHER_ENDPOINT,
    params: found?.params ?? NO_PARAMS,
    notes: createRequestNotes(),
    priority: priority ?? undefined,
    checkLoad: load?.check,
    isCrowded: load?.isCrowded,
    span: undefined,
  };
}

type Destination = { readonly path: string; readonly route: HotRoute | undefined };

/** The priority that a request enters with, null where load does not matter to it; whose it is, where that was looked up; and the error it is refused with. */
type Entry = { readonly priority: RequestPriority | null; readonly caller?: string | undefined; readonly error: GatewayError | undefined };

const AMBIGUOUS = new GatewayError('invalid_request', 'Send one Host header, and a body either with Content-Length or in chunks.');
const AMBIGUOUS_ENTRY: Entry = { priority: null, error: AMBIGUOUS };
const FREE_ENTRY: Entry = { priority: null, error: undefined };
const ADMITTED = Object.fromEntries(REQUEST_PRIORITIES.map((priority) => [priority, { priority, error: undefined }])) as Readonly<
  Record<RequestPriority, Entry>
>;

function enter(load: LoadShedder | undefined, request: IncomingMessage, to: Destination): Entry {
  if (isAmbiguous(request)) return AMBIGUOUS_ENTRY;
  const priority = load === undefined ? null : findRequestPriority(to.path, request.method, to.route?.endpoint);
  if (load === undefined || priority === null) return FREE_ENTRY;
  // Whose it is, is looked up only where that decides.
  if (to.route?.findCaller !== undefined && load.isRefusing('unpaid')) {
    const { id, priority: known } = to.route.findCaller(request);
    return { priority: known, caller: id, error: load.findRefusal(known, id) };
  }
  const error = load.findRefusal(priority);
  return error === undefined ? ADMITTED[priority] : { priority, error };
}

function describeArrived(request: IncomingMessage, response: ServerResponse, { path, route }: Destination): Arrived {
  const endpoint = route?.endpoint ?? OTHER_ENDPOINT;
  return { request, response, path, endpointId: endpoint.id, dialect: findDialect(path, endpoint) };
}

function describeRefusals({ isBehindEdge }: HttpServerOptions): Record<string, string> {
  return { [KEEP_ALIVE_HEADER]: KEEP_ALIVE, ...(isBehindEdge === true ? { [NOT_BEGUN_HEADER]: 'true' } : {}) };
}

function refuse({ metrics, isBehindEdge }: HttpServerOptions, { response, scope }: ServedRequest, path: string, error: GatewayError): void {
  // What follows an ambiguous request may be part of its body, or another request: no one can know.
  if (error === AMBIGUOUS) closeAfterResponse(response);
  if (isBehindEdge === true) response.setHeader(NOT_BEGUN_HEADER, 'true');
  scope.notes.error = error.code;
  if (!isOther(scope)) metrics.failed(scope.endpoint.id, error.code);
  sendError(response, error, { requestId: scope.id, dialect: findDialect(path, scope.endpoint), endpointId: scope.endpoint.id });
}

function isOther({ endpoint }: RequestScope): boolean {
  return endpoint === OTHER_ENDPOINT;
}

function findDialect(path: string, endpoint: EndpointRow): EndpointRow['errorDialect'] {
  return endpoint === OTHER_ENDPOINT ? findErrorDialect(path) : endpoint.errorDialect;
}

function startTrace({ tracing }: HttpServerOptions, exchange: ServedRequest, path: string): void {
  if (tracing === undefined) return;
  if (!isOther(exchange.scope)) traceRequest(tracing, exchange);
  else if (!isProbe(path)) tracePage(tracing, exchange);
}

function serve(options: HttpServerOptions, exchange: ServedRequest, { path, route }: Destination): void {
  const { request, response, scope } = exchange;
  startTrace(options, exchange, path);
  if (asksForOverhead(request.headers)) reportOverhead(response, scope.startedMonotonicMs);
  if (route === undefined) {
    handOverHeaders(response);
    options.fallback(request, response);
  } else runHotRoute(options, route, exchange);
}

function runHotRoute(options: HttpServerOptions, route: HotRoute, exchange: ServedRequest): void {
  const { request, response, scope } = exchange;
  const fail = (thrown: unknown): void => failHotRoute(options, thrown, exchange, route);
  try {
    route.handle(request, response, scope, fail)?.then(undefined, fail);
  } catch (thrown) {
    fail(thrown);
  }
}

function failHotRoute(options: HttpServerOptions, thrown: unknown, { response, scope }: ServedRequest, route: HotRoute): void {
  const error = toGatewayError(thrown);
  noteError(options, error, scope);
  route.noteFailure?.(error, scope);
  if (response.destroyed) return;
  sendError(response, error, { requestId: scope.id, dialect: scope.endpoint.errorDialect, endpointId: scope.endpoint.id });
}

function noteError(options: HttpServerOptions, error: GatewayError, scope: RequestScope): void {
  scope.notes.error = error.code;
  options.metrics.failed(scope.endpoint.id, error.code);
  if (error.details.limit !== undefined) options.metrics.limited(error.details.limit);
  if (error.code !== 'internal') return;
  const trace = scope.span === undefined ? undefined : describeTrace(scope.span.traceparent);
  options.log.error({ requestId: scope.id, ...trace, error: error.cause }, 'request failed by our own fault');
}
