import { getEndpoint } from '@weir/contracts';
import { createLogger, createMetricsRegistry, createRequestMetrics, createServerMetrics, type MetricsRegistry } from '@weir/telemetry';
import { connect, type Socket } from 'node:net';
import { createWeirServer, listen, type HttpServerOptions, type RunningHttpServer } from '../create-http-server';
import type { HotHandler } from '../../requests/hot-routes';

export type GuardedHarness = RunningHttpServer & { readonly registry: MetricsRegistry; readonly url: string };

const log = createLogger({ service: 'test', level: 'silent', destination: { write: () => undefined } });

/** A server with one hot endpoint, and whatever protection is asked for. */
export async function serveGuarded(handle: HotHandler, more: Partial<HttpServerOptions> = {}): Promise<GuardedHarness> {
  const registry = createMetricsRegistry();
  const harness = createWeirServer({
    hotRoutes: new Map([['POST /v1/messages', { endpoint: getEndpoint('messages'), handle }]]),
    fallback: (_request, response) => void response.end('fallback'),
    log,
    metrics: createRequestMetrics(registry),
    serverMetrics: createServerMetrics(registry),
    now: Date.now,
    ...more,
  });
  const running = await listen(harness, 0, '127.0.0.1');
  return { ...running, registry, url: `http://127.0.0.1:${running.port}` };
}

type RawClient = {
  readonly socket: Socket;
  text(): string;
  readonly closed: Promise<void>;
  /** Resolves once the text that came contains it. */
  waitFor(part: string): Promise<void>;
};

/** A client that sends exactly these bytes. */
export function sendRaw(port: number, bytes: string): RawClient {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  const watchers = new Set<() => void>();
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    for (const watcher of watchers) watcher();
  });
  socket.on('error', () => undefined);
  if (bytes !== '') socket.write(bytes);
  return {
    socket,
    text: () => text,
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    waitFor: (part) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!text.includes(part)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
  };
}

export async function readMetric(registry: MetricsRegistry, name: string): Promise<readonly { labels: object; value: number }[]> {
  const metric = await registry.getSingleMetric(name)?.get();
  return (metric?.values ?? []).map(({ labels, value }) => ({ labels, value }));
}
