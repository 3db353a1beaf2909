import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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

export type TraceCollector = {
  readonly url: string;
  /** Everything it was ever sent, as it came. */
  texts(): string;
  /** Resolves with the spans of a trace once there are so many of them. */
  waitForSpans(traceId: string, count: number): Promise<readonly CollectedSpan[]>;
  /** Resolves with the first span that is looked for. */
  waitForSpan(isLookedFor: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  stop(): Promise<void>;
};

/** A collector of OTLP/HTTP traces in JSON. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let texts = '';
  const watchers = new Set<() => void>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece: Buffer) => (text += piece.toString()));
    request.on('end', () => {
      texts += text;
      spans.push(...readSpans(JSON.parse(text) as Sent));
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
