import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { createAttemptMetrics, type AttemptOutcome } from '../attempt-metrics';
import { createGenAiMetrics } from '../gen-ai-metrics';
import { createMetricsRegistry, createRequestMetrics } from '../metrics';
import { seenIn } from '../seen-in';
import { describeTarget } from './otlp-settings';
import { createOtlpSender, type OtlpOutcome } from './send-otlp';
import { describeResource, VERSION } from './resource';
import { startMetricsExport } from './export-metrics';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const TAKEN: OtlpOutcome = { kind: 'taken', rejected: 0, message: '' };

type Point = Readonly<Record<string, unknown>> & { readonly attributes: { key: string; value: { stringValue: string } }[] };
type Metric = { readonly name: string; readonly unit: string } & Readonly<
  Record<'sum' | 'gauge' | 'histogram', { aggregationTemporality?: number; isMonotonic?: boolean; dataPoints: Point[] } | undefined>
>;
type Message = {
  resourceMetrics: { resource: { attributes: Point['attributes'] }; scopeMetrics: { scope: object; metrics: Metric[] }[] }[];
};

const metricsOf = (message: object): Metric[] => (message as Message).resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? [];
const find = (message: object | undefined, name: string): Metric | undefined =>
  metricsOf(message ?? {}).find((metric) => metric.name === name);
const labelsOf = ({ attributes }: Point): object => Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));

/** An export whose messages the test reads and whose outcomes it chooses. */
function open(temporality: 'cumulative' | 'delta', outcomes: OtlpOutcome[] = []) {
  const sent: Message[] = [];
  const lines: string[] = [];
  let nowMs = 1_000_000;
  const note = (_about: unknown, text?: string): void => void lines.push(text ?? '');
  const registry = createMetricsRegistry();
  const conventional = new Registry();
  const exporting = startMetricsExport({
    ...{
      resource: describeResource('edge-router', 'deployment.environment.name=a%20b,service.namespace=shop'),
      registries: [registry, conventional],
      temporality,
      everyMs: 3_600_000,
    },
    send: (message) => {
      sent.push(message as Message);
      return Promise.resolve(outcomes.shift() ?? TAKEN);
    },
    log: { warn: note, info: note },
    now: () => nowMs,
  });
  const send = async (atMs: number): Promise<Message | undefined> => {
    nowMs = atMs;
    await exporting.sendNow();
    return sent.at(-1);
  };
  return { registry, conventional, send, lines, sent, close: exporting.close };
}

const OUTCOME: AttemptOutcome = {
  ...{ endpoint: 'chat-completions', provider: 'p', model: 'm', outcome: 'ok', durationMs: 1500, firstByteMs: 200, costPico: 0n },
  ...{ tokens: { inputUncached: 10, cacheRead: 5, cacheWrite5m: 0, cacheWrite1h: 0, output: 7 }, isStream: true },
};

const unitsOf = (message: Parameters<typeof find>[0], names: readonly string[]): (string | undefined)[] =>
  names.map((name) => find(message, name)?.unit);

describe('metrics for a collector', () => {
  it('are those of the page, with exemplars and units', async () => {
    const { registry, send, close } = open('cumulative');
    const { started, finished } = createRequestMetrics(registry);
    started();
    finished('chat-completions', 200, 400, seenIn(TRACEPARENT, 'r-1'));
    started();
    finished('chat-completions', 200, 700_000);
    const message = await send(1_060_000);
    await close();

    const { resource } = message?.resourceMetrics[0] ?? {};
    expect(labelsOf(resource as Point)).toMatchObject({
      ...{ 'service.name': 'weir-edge-router', 'service.instance.id': expect.any(String), 'service.version': VERSION },
      ...{ 'deployment.environment.name': 'a b', 'service.namespace': 'shop' },
    });
    expect(find(message, 'weir_requests')?.sum).toMatchObject({ aggregationTemporality: 2, isMonotonic: true });
    const [counted] = find(message, 'weir_requests')?.sum?.dataPoints ?? [];
    expect(counted).toMatchObject({ asDouble: 2, startTimeUnixNano: '1000000000000', timeUnixNano: '1060000000000' });
    expect(labelsOf(counted as Point)).toEqual({ endpoint: 'chat-completions', status: '200' });
    expect(find(message, 'weir_requests_in_flight')?.gauge?.dataPoints[0]).toMatchObject({ asDouble: 0 });
    expect(unitsOf(message, ['weir_request_seconds', 'process_resident_memory_bytes'])).toEqual(['s', 'By']);
    expect(find(message, 'weir_request_seconds')?.histogram?.dataPoints).toEqual([
      expect.objectContaining({
        ...{ count: '2', sum: 700.4, explicitBounds: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300] },
        bucketCounts: ['0', '0', '0', '0', '1', '0', '0', '0', '0', '0', '1'],
        exemplars: [
          {
            ...{ timeUnixNano: expect.stringMatching(/^\d{19}$/), asDouble: 0.4 },
            ...{ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' },
            filteredAttributes: [{ key: 'request_id', value: { stringValue: 'r-1' } }],
          },
        ],
      }),
    ]);
  });

  it('as deltas say what came since the message that was taken last', async () => {
    const { registry, send, lines, close } = open('delta', [TAKEN, { kind: 'unavailable', message: 'away' }]);
    const { started, finished } = createRequestMetrics(registry);
    const request = (): void => {
      started();
      finished('other', 200, 10);
    };
    const read = async (atMs: number) => {
      const message = await send(atMs);
      const [count] = find(message, 'weir_requests')?.sum?.dataPoints ?? [];
      const [time] = find(message, 'weir_request_seconds')?.histogram?.dataPoints ?? [];
      return [count?.['startTimeUnixNano'], count?.['asDouble'], time?.['count'], time?.['sum']];
    };
    request();
    expect(await read(1_001_000)).toEqual(['1000000000000', 1, '1', 0.01]);
    request();
    request();
    expect(await read(1_002_000)).toEqual(['1001000000000', 2, '2', expect.closeTo(0.02)]); // it was not taken
    request();
    expect(await read(1_003_000)).toEqual(['1001000000000', 3, '3', expect.closeTo(0.03)]);
    expect(await read(1_004_000)).toEqual(['1003000000000', 0, '0', 0]);
    await close();
    expect(lines).toEqual([
      'the collector does not take metrics; they are sent again with the next ones',
      'the collector takes metrics again',
    ]);
  });

  it('have attempts by the conventions for generative AI, and once more when it is closed', async () => {
    const { registry, conventional, sent, close } = open('cumulative');
    const names = { operation: () => 'chat', provider: (id: string) => `known.${id}` };
    const metrics = createAttemptMetrics(registry, createGenAiMetrics(conventional, names));
    for (const outcome of [OUTCOME, { ...OUTCOME, outcome: 'timeout', firstByteMs: null }, { ...OUTCOME, isStream: false }]) {
      metrics.opened();
      metrics.settled(outcome);
    }
    await close();

    const common = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'known.p', 'gen_ai.request.model': 'm' };
    const pointsOf = (name: string) =>
      find(sent.at(-1), name)?.histogram?.dataPoints.map((point) => [labelsOf(point), point['count'], point['sum']]);
    expect(pointsOf('gen_ai.client.operation.duration')).toEqual([
      [common, '2', 3],
      [{ ...common, 'error.type': 'timeout' }, '1', 1.5],
    ]);
    expect(pointsOf('gen_ai.client.operation.time_to_first_chunk')).toEqual([[common, '1', 0.2]]);
    expect(pointsOf('gen_ai.client.token.usage')).toEqual([
      [{ ...common, 'gen_ai.token.type': 'input' }, '3', 45],
      [{ ...common, 'gen_ai.token.type': 'output' }, '3', 21],
    ]);
    expect(find(sent.at(-1), 'gen_ai.client.token.usage')?.unit).toBe('{token}');
    expect(await registry.metrics()).not.toContain('gen_ai');
  });
});

describe('what is sent to a collector', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  type Heard = { url: string | undefined; headers: IncomingMessage['headers']; body: unknown };

  async function listen(status: number, reply: string, headers: Record<string, string> = {}): Promise<{ url: string; heard: Heard[] }> {
    const heard: Heard[] = [];
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => void parts.push(part));
      request.on('end', () => {
        heard.push({
          url: request.url,
          headers: request.headers,
          body: JSON.parse(gunzipSync(Buffer.concat(parts)).toString()) as unknown,
        });
        response.writeHead(status, headers).end(reply);
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
  }

  const send = (url: string, settings: object = {}): Promise<OtlpOutcome> =>
    createOtlpSender(describeTarget('metrics', { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: 1_000, ...settings }))(
      { hello: 1 },
      'DataPoints',
    );

  it('goes to the address of its kind with the headers of the settings', async () => {
    const { url, heard } = await listen(200, '{}');
    expect(await send(url, { OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b, authorization=Basic dTpw==' })).toEqual(TAKEN);
    expect(heard).toEqual([
      { url: '/v1/metrics', headers: expect.objectContaining({ 'x-tenant': 'a b', authorization: 'Basic dTpw==' }), body: { hello: 1 } },
    ]);
  });

  it.each([
    [200, '', {}, TAKEN],
    [200, '{"partialSuccess":{"rejectedDataPoints":"3","errorMessage":"old"}}', {}, { kind: 'taken', rejected: 3, message: 'old' }],
    [400, 'bad', {}, { kind: 'refused', message: 'status 400: bad' }],
    [503, 'full', { 'retry-after': '7' }, { kind: 'unavailable', message: 'status 503: full', retryAfterMs: 7000 }],
  ] as const)('a reply of %i %s', async (status, reply, headers, outcome) => {
    const { url } = await listen(status, reply, headers);
    expect(await send(url)).toEqual(outcome);
  });

  it('is unavailable where no one listens', async () => {
    const { url } = await listen(200, '{}');
    await new Promise((resolve) => server?.close(resolve));
    expect(await send(url)).toMatchObject({ kind: 'unavailable', message: 'ECONNREFUSED' });
  });
});
