import type { EndpointRow } from '@weir/contracts';
import { toGatewayError, type GatewayError } from '@weir/errors';
import type { Logger, RequestMetrics } from '@weir/telemetry';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequestIdSource } from './create-request-id';
import type { RequestScope } from './request-scope';
import { sendError } from './send-error';

export type HotHandler = (request: IncomingMessage, response: ServerResponse, scope: RequestScope) => Promise<void>;

/** Inference routes, by `METHOD path`. They are looked up before Express sees the request. */
export type HotRoutes = ReadonlyMap<string, { readonly endpoint: EndpointRow; readonly handle: HotHandler }>;

export type HttpServerOptions = {
  readonly hotRoutes: HotRoutes;
  readonly fallback: RequestListener;
  readonly log: Logger;
  readonly metrics: RequestMetrics;
  readonly now: () => number;
  /** Slow senders lose their connection: headers within 10 s, the whole request within this. */
  readonly requestTimeoutMs?: number;
};

export type RunningHttpServer = { readonly port: number; readonly server: Server; drain(timeoutMs: number): Promise<void> };

/** Makes a server whose hot routes bypass Express; every request gets an id and one log line. */
export function createWeirServer(options: HttpServerOptions): Server {
  const newRequestId = createRequestIdSource(options.now);
  const server = createServer(
    {
      noDelay: true,
      keepAliveTimeout: 75_000,
      headersTimeout: 10_000,
      requestTimeout: options.requestTimeoutMs ?? 300_000,
      maxHeaderSize: 32 * 1024,
    },
    (request, response) => {
      const url = request.url ?? '/';
      const query = url.indexOf('?');
      const path = query === -1 ? url : url.slice(0, query);
      const id = newRequestId();
      response.setHeader('x-request-id', id);
      const route = options.hotRoutes.get(`${request.method ?? ''} ${path}`);
      const scope = createScope(id, options.now(), route?.endpoint);
      observe(options, { request, response, scope, path });
      if (route === undefined) options.fallback(request, response);
      else runHotRoute(options, route.handle, { request, response, scope });
    },
  );
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
  });
  return server;
}

/** Listens, and answers how to stop: new connections are refused, running requests get `timeoutMs`, then are cut. */
export function listen(server: Server, port: number, host: string): Promise<RunningHttpServer> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve({ port: (server.address() as AddressInfo).port, server, drain: (timeoutMs) => drain(server, timeoutMs) });
    });
  });
}

function drain(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
    // Keep-alive connections become idle one by one as their last request ends.
    const sweep = setInterval(() => server.closeIdleConnections(), 100);
  });
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

function createScope(id: string, nowMs: number, endpoint: EndpointRow | undefined): RequestScope {
  return { id, startedAtMs: nowMs, startedMonotonicMs: performance.now(), endpoint: endpoint ?? OTHER_ENDPOINT, notes: {} };
}

type Exchange = { request: IncomingMessage; response: ServerResponse; scope: RequestScope };

function observe(options: HttpServerOptions, exchange: Exchange & { path: string }): void {
  const { request, response, scope, path } = exchange;
  options.metrics.started();
  response.once('close', () => {
    const durationMs = performance.now() - scope.startedMonotonicMs;
    options.metrics.finished(scope.endpoint.id, response.statusCode, durationMs);
    if (scope.endpoint === OTHER_ENDPOINT && isProbe(path)) return;
    options.log.info(
      {
        requestId: scope.id,
        method: request.method,
        path,
        status: response.statusCode,
        complete: response.writableFinished,
        durationMs: Math.round(durationMs * 10) / 10,
        ...scope.notes,
      },
      'request',
    );
  });
}

/** Probes come every few seconds for ever; a line for each tells nobody anything. */
function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz' || path === '/metrics';
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
  if (error.code === 'internal') options.log.error({ requestId: scope.id, error: error.cause }, 'request failed by our own fault');
}
