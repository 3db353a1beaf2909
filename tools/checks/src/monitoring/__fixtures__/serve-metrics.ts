import { chooseMetricsFormat, METRICS_CONTENT_TYPES, writeMetrics, type MetricsRegistry } from '@weir/telemetry';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves the metrics of a registry where Prometheus finds them. */
export async function serveMetrics(
  registry: MetricsRegistry,
): Promise<{ address: string; asked: (string | undefined)[]; stop(): Promise<void> }> {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.accept);
    const format = chooseMetricsFormat(request.headers.accept);
    void writeMetrics(registry, format).then((page) => response.setHeader('content-type', METRICS_CONTENT_TYPES[format]).end(page));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
