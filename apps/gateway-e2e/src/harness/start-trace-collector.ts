import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

type CollectedSpan = {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: Readonly<Record<string, unknown>>;
};

type Attribute = { key: string; value: Record<string, unknown> };
type Sent = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<CollectedSpan, 'service' | 'attributes'> & { attributes: Attribute[] })[] }[];
  }[];
};

type SentMetrics = {
  resourceMetrics: { resource: { attributes: Attribute[] }; scopeMetrics: { metrics: { name: string }[] }[] }[];
};

export type TraceCollector = {
  readonly url: string;
  /** Everything it was ever sent, as it came. */
  texts(): string;
  /** Resolves with the spans of a trace once there are so many of them. */
  waitForSpans(traceId: string, count: number): Promise<readonly CollectedSpan[]>;
  /** Resolves when a service has sent a metric. */
  waitForMetric(service: string, name: string): Promise<void>;
  /** Resolves with the first span that is looked for. */
  waitForSpan(isLookedFor: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  stop(): Promise<void>;
};

function noteMetrics(known: Map<string, Set<string>>, { resourceMetrics }: SentMetrics): void {
  for (const { resource, scopeMetrics } of resourceMetrics) {
    const service = String(resource.attributes.find(({ key }) => key === 'service.name')?.value['stringValue']);
    const names = scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name));
    known.set(service, new Set([...(known.get(service) ?? []), ...names]));
  }
}

/** A collector of OTLP/HTTP traces and metrics in JSON. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let texts = '';
  const watchers = new Set<() => void>();
  const metrics = new Map<string, Set<string>>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
      texts += text;
      if (request.url === '/v1/metrics') noteMetrics(metrics, JSON.parse(text) as SentMetrics);
      else spans.push(...readSpans(JSON.parse(text) as Sent));
      response.setHeader('content-type', 'application/json').end('{}');
      for (const watcher of watchers) watcher();
    });
  });
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isSo()) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    texts: () => texts,
    waitForSpans: async (traceId, count) => {
      const find = () => spans.filter((span) => span.traceId === traceId);
      await until(() => find().length >= count);
      return find();
    },
    waitForMetric: (service, name) => until(() => metrics.get(service)?.has(name) === true),
    waitForSpan: async (isLookedFor) => {
      await until(() => spans.some(isLookedFor));
      return spans.find(isLookedFor) as CollectedSpan;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function readSpans({ resourceSpans }: Sent): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readAttributes(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service, attributes: readAttributes(span.attributes) })));
  });
}

function readAttributes(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
