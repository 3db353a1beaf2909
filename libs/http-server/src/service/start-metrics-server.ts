import { GatewayError } from '@weir/errors';
import { chooseMetricsFormat, METRICS_CONTENT_TYPES, type Logger, type MetricsFormat } from '@weir/telemetry';
import type { Express } from 'express';
import { createServer } from 'node:http';
import { createHttpApp } from '../server/create-http-app';
import { createRequestIdSource } from '../requests/create-request-id';
import { explainListening } from '../connections/explain-listening';
import type { Health } from './health';
import { listenOn } from '../connections/listen-on';
import { createNetworkList } from '../connections/network-list';
import { mountHealthPages } from './mount-health-pages';
import { openMetricsThread } from './open-metrics-thread';

export type MetricsPort = {
  /** The setting: this one or none; 0 takes a free one. */
  readonly asked: number | undefined;
  /** When none is asked for; a free one when somebody else has it, so that services can be started twice on one machine. */
  readonly usual: number;
};

type MetricsServer = { readonly port: number; close(): Promise<void> };

type Options = {
  readonly port: MetricsPort;
  readonly host: string;
  /** The page of metrics, in the format that its reader asks for. */
  readonly writeMetrics: (format: MetricsFormat) => Promise<string>;
  readonly health: Health;
  readonly log: Logger;
  /**
   * Of a process that keeps a journal: 1 while its main thread is inside a call to the disk. `/healthz` then replies whatever the
   * disk does. Absent: nothing here waits for a disk, and the main thread serves all by itself.
   */
  readonly diskCalls?: Int32Array | undefined;
  /** How long a main thread that waits for no disk may have no turn before `/healthz` says so. */
  readonly silenceMsMax?: number;
};

/** Collectors and probes are few. */
const CONNECTIONS_MAX = 256;
/** Far beyond the longest turn there is: a probe of `/healthz` has the process killed for it. */
const SILENCE_MS_MAX = 60_000;

/** Serves metrics, and health once more, where no caller can crowd out the operator. */
export async function startMetricsServer({ port, host, writeMetrics, health, log, ...more }: Options): Promise<MetricsServer> {
  const app = createHttpApp({
    mount: (express) => {
      mountHealthPages(express, health, { isPrivate: true });
      mountMetrics(express, writeMetrics);
    },
    onInternalError: (error, requestId) => log.error({ requestId, error: error.cause }, 'metrics could not be served'),
  });
  const newRequestId = createRequestIdSource(Date.now);
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    response.setHeader('x-request-id', newRequestId());
    app(request, response);
  });
  server.maxConnections = CONNECTIONS_MAX;
  const { diskCalls, silenceMsMax = SILENCE_MS_MAX } = more;
  const thread =
    diskCalls === undefined
      ? undefined
      : await openMetricsThread(server, { ...{ diskCalls, silenceMsMax, log }, connectionsMax: CONNECTIONS_MAX });
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await Promise.all([closed, thread?.close()]);
  };
  const listen = thread?.listen ?? ((at: number): Promise<number> => listenOn(server, at, host));
  try {
    return { port: await listenSomewhere(listen, { port, host, log }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function mountMetrics(app: Express, writeMetrics: Options['writeMetrics']): void {
  const isPrivate = createNetworkList(PRIVATE_NETWORKS);
  app.get('/metrics', async ({ headers, socket }, response) => {
    // For the operator's own collector, not for anyone who finds the port or comes by a proxy.
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
    if (isForwarded || !isPrivate(socket.remoteAddress ?? '')) throw new GatewayError('not_found', 'There is nothing at GET /metrics.');
    const format = chooseMetricsFormat(headers.accept);
    response.setHeader('content-type', METRICS_CONTENT_TYPES[format]).send(await writeMetrics(format));
  });
}

/** 100.64.0.0/10 are addresses of pods in some clouds. */
const PRIVATE_NETWORKS = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'];

async function listenSomewhere(
  listen: (port: number, host: string) => Promise<number>,
  { port, host, log }: Pick<Options, 'port' | 'host' | 'log'>,
): Promise<number> {
  try {
    return await listen(port.asked ?? port.usual, host);
  } catch (error) {
    if (port.asked !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') {
      throw await explainListening(error, { port: port.asked ?? port.usual, host, setting: 'METRICS_PORT' });
    }
    const metricsPort = await listen(0, host);
    log.warn({ usualPort: port.usual, metricsPort }, 'the usual port of metrics is taken; METRICS_PORT names another one');
    return metricsPort;
  }
}
