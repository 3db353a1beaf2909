import { describeWithRealParts, startFakeUpstream, waitUntil, type FakeUpstream } from '@weir/testing';
import { connect, type Socket } from 'node:net';
import { usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';
import { startComposed, type ComposedHarness } from '../harness/start-composed';
import { startTraceCollector, type TraceCollector } from '../harness/start-trace-collector';
import { takeRealParts } from '../harness/take-real-parts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const BATCHED = '4bf92f3577b34da6a3ce929d0e0e4737';
const MANAGED = '4bf92f3577b34da6a3ce929d0e0e4738';
const SECRET_WORDS = 'only the provider may read this';

/** D1 in full, by `LOAD_FULL=1`: 1,000 readers of 1 MiB for a minute. */
const IS_FULL = process.env['LOAD_FULL'] === '1';
const [READERS, PIECES, LOOKS] = IS_FULL ? [1000, 64, 120] : [40, 512, 6];
const MEBIBYTE = 1024 * 1024;

type Reply = { usage?: { cost?: number; prompt_tokens?: number; completion_tokens?: number } };

describeWithRealParts(['postgres', 'redis', 'kafka'], 'the services of docker/compose.yaml, by their own commands and settings', () => {
  let harness: ComposedHarness;
  let upstream: FakeUpstream;
  let collector: TraceCollector;
  const stops: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const parts = await takeRealParts();
    [upstream, collector] = await Promise.all([startFakeUpstream(), startTraceCollector()]);
    harness = await startComposed(parts, {
      providers: { OPENAI_API_KEY: 'upstream-key', OPENAI_BASE_URL: `${upstream.url}/v1` },
      more: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRACE_PROVIDERS: 'true' },
    });
    stops.push(harness.stop, () => upstream.stop(), collector.stop, parts.stop);
  }, 180_000);
  afterAll(async () => {
    for (const stop of stops) await stop();
  }, 60_000);

  const ask = (model: string, headers: Record<string, string> = {}) =>
    fetch(`${harness.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: SECRET_WORDS }] }),
    });

  it('serve a priced request that is found in the rollups', async () => {
    const reply = await ask('sandbox/chat');
    const { usage } = (await reply.json()) as Reply;
    expect(reply.status).toBe(200);
    expect(usage?.cost).toBeGreaterThan(0);

    const day = await waitForRequests(harness, 1);
    expect(day.spend).toBe(usdText(usage?.cost));
  }, 60_000);

  it('trace a request from its caller through edge and worker to its provider, without any content', async () => {
    const reply = await ask('openai/gpt-4o-mini', { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` });
    const { usage } = (await reply.json()) as Reply;
    const spans = await collector.waitForSpans(TRACE, 3);
    const edge = spans.find(({ service }) => service === 'weir-edge-router');
    const worker = spans.find(({ service, name }) => service === 'weir-chat-translator' && name.startsWith('POST'));
    const attempt = spans.find(({ name }) => name.startsWith('chat '));

    expect(edge).toMatchObject({ name: 'POST /v1/chat/completions', parentSpanId: '00f067aa0ba902b7' });
    expect(edge?.attributes).toMatchObject({
      ...{ 'http.response.status_code': 200, 'weir.request_id': reply.headers.get('x-request-id') },
      ...{ 'weir.organization_id': expect.any(String), 'weir.api_key_id': expect.any(String) },
    });
    expect(worker?.parentSpanId).toBe(edge?.spanId);
    expect(attempt?.parentSpanId).toBe(worker?.spanId);
    expect(attempt?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o-mini',
      'gen_ai.response.model': 'gpt-4o-mini',
      'gen_ai.usage.input_tokens': usage?.prompt_tokens,
      'gen_ai.usage.output_tokens': usage?.completion_tokens,
      'weir.cost_usd': usdText(usage?.cost),
    });
    const reported = upstream.requests.at(-1)?.headers['traceparent'];
    expect(reported).toBe(`00-${TRACE}-${attempt?.spanId}-01`);
    expect(collector.texts()).not.toContain(SECRET_WORDS);
    expect(collector.texts()).not.toContain(harness.apiKey);
  }, 60_000);

  it('trace what is asked of the management-api, and link a batch of usage to the attempts in it', async () => {
    const reply = await ask('openai/gpt-4o-mini', { traceparent: `00-${BATCHED}-00f067aa0ba902b7-01` });
    expect(reply.status).toBe(200);
    const attempt = (await collector.waitForSpans(BATCHED, 3)).find(({ name }) => name.startsWith('chat '));
    const batch = await collector.waitForSpan(({ links = [] }) => links.some(({ traceId }) => traceId === BATCHED));
    expect(batch).toMatchObject({ service: 'weir-usage-aggregator', name: 'process weir.usage.v1' });
    expect(batch.links).toContainEqual(expect.objectContaining({ traceId: BATCHED, spanId: attempt?.spanId }));
    expect(Number(batch.attributes['weir.usage.applied'])).toBeGreaterThan(0);

    const self = await fetch(`${harness.managementUrl}/v1/manage/apikey/self`, {
      headers: { authorization: `Bearer ${harness.apiKey}`, traceparent: `00-${MANAGED}-00f067aa0ba902b7-01` },
    });
    const [span] = await collector.waitForSpans(MANAGED, 1);
    expect(span).toMatchObject({ service: 'weir-management-api', parentSpanId: '00f067aa0ba902b7' });
    expect(span?.name).toMatch(/^GET \/v1\/manage\/apikey\//);
    expect(span?.attributes).toMatchObject({ 'http.response.status_code': 200, 'weir.request_id': self.headers.get('x-request-id') });
    expect(collector.texts()).not.toContain(harness.apiKey);
  }, 60_000);

  it('report their own share of the time to callers that ask for it, and to no others', async () => {
    const [asked, plain] = [await ask('openai/gpt-4o-mini', { 'x-weir-debug': 'overhead' }), await ask('openai/gpt-4o-mini')];
    const overheadMs = Number(asked.headers.get('x-weir-overhead-ms'));
    const providerMs = Number(asked.headers.get('x-weir-provider-ms'));

    expect([asked.status, plain.status]).toEqual([200, 200]);
    expect(overheadMs).toBeGreaterThan(0);
    expect(overheadMs).toBeLessThan(1000);
    expect(providerMs).toBeGreaterThan(0);
    expect(plain.headers.has('x-weir-overhead-ms')).toBe(false);
    expect(plain.headers.has('x-weir-provider-ms')).toBe(false);
  });

  it('count attempts by endpoint, provider, model and outcome', async () => {
    const text = await (await fetch(`${harness.metricsAddressOf('chat-translator')}/metrics`)).text();
    const counted =
      /weir_attempts_total\{endpoint="chat-completions",provider="openai",model="openai\/gpt-4o-mini",outcome="ok"\} (\d+)/.exec(text);

    expect(Number(counted?.[1])).toBe(4);
    expect(text).toMatch(/weir_tokens_total\{provider="openai",model="openai\/gpt-4o-mini",kind="output"\} [1-9]/);
    expect(text).toMatch(/weir_cost_usd_total\{provider="openai",model="openai\/gpt-4o-mini"\} 0?\.?[0-9e-]/);
    expect(text).toContain('weir_attempts_open 0');
    expect((await fetch(`${harness.url}/metrics`)).status).toBe(404);
  });

  const readMetric = async (service: 'edge-router' | 'chat-translator', name: string): Promise<number> => {
    const text = await (await fetch(`${harness.metricsAddressOf(service)}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };

  it('D1, D2: keep little for readers who read nothing, and nothing once they are gone', async () => {
    const words = 'x'.repeat(16 * 1024);
    const piece = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: words } }] })}\n\n`;
    upstream.reply(
      { headers: { 'content-type': 'text/event-stream' }, stream: Array<string>(PIECES).fill(piece), hang: true },
      { when: () => true },
    );
    const services = ['edge-router', 'chat-translator'] as const;
    const before = await Promise.all(services.map((service) => readMetric(service, 'process_resident_memory_bytes')));
    const body = JSON.stringify({ model: 'openai/gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'hi' }] });
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${harness.apiKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    const readers = Array.from({ length: READERS }, (): Socket => {
      const socket = connect(Number(new URL(harness.url).port), '127.0.0.1').on('error', () => undefined);
      socket.pause();
      socket.write(head + body);
      return socket;
    });
    const isServed = async () => (await readMetric('chat-translator', 'weir_attempts_open')) === READERS;
    await waitUntil('every reader is served', isServed, 60_000);

    const grown: number[] = [];
    for (let look = 0; look < LOOKS; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const now = await Promise.all(services.map((service) => readMetric(service, 'process_resident_memory_bytes')));
      grown.push(Math.max(...now.map((bytes, index) => bytes - (before[index] as number))));
    }
    for (const socket of readers) socket.destroy();
    const leftAt = performance.now();
    await waitUntil('the edge has let go', async () => (await readMetric('edge-router', 'weir_requests_in_flight')) <= 1);
    await waitUntil('the worker has let go', async () => (await readMetric('chat-translator', 'weir_attempts_open')) === 0);
    const letGoMs = performance.now() - leftAt;

    process.stderr.write(
      `slow readers: ${READERS} x ${((PIECES * piece.length) / MEBIBYTE).toFixed(1)} MiB, ${Math.round(Math.max(...grown) / MEBIBYTE)} MiB more at most, ` +
        `${Math.round((grown.at(-1) ?? 0) / MEBIBYTE)} at last, let go in ${Math.round(letGoMs)} ms\n`,
    );
    // 256 KiB a stream, and what a process that has begun to work takes anyway.
    expect(Math.max(...grown)).toBeLessThan(IS_FULL ? 300 * MEBIBYTE : READERS * 0.25 * MEBIBYTE + 96 * MEBIBYTE);
    const half = LOOKS / 2;
    expect(Math.max(...grown.slice(half))).toBeLessThan(Math.max(...grown.slice(0, half)) + 24 * MEBIBYTE);
  }, 240_000);
});
