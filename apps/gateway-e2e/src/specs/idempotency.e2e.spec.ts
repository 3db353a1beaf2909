import { randomUUID } from 'node:crypto';
import { startFakeUpstream, type FakeUpstream } from '@weir/testing';
import { callUntil, createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { addUsd, usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';
import { startStandalone, type Harness } from '../harness/start-standalone';

const HELLO = [{ role: 'user', content: 'Hello there' }];
const ENDPOINTS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['/v1/chat/completions', { model: 'openai/gpt-4o-mini', messages: HELLO }],
  ['/v1/chat/completions', { model: 'openai/gpt-4o-mini', messages: HELLO, stream: true, stream_options: { include_usage: true } }],
  ['/v1/messages', { model: 'anthropic/claude-sonnet-4-5', max_tokens: 50, messages: HELLO }],
  ['/v1/messages', { model: 'openai/gpt-4o-mini', max_tokens: 50, messages: HELLO, stream: true }],
  ['/v1/responses', { model: 'sandbox/chat', input: 'Hello there' }],
  ['/v1/responses', { model: 'openai/gpt-4o-mini', input: 'Hello there', stream: true }],
  ['/v1/embeddings', { model: 'sandbox/embedding', input: 'Hello there' }],
];

describe('one charge for each Idempotency-Key', () => {
  let harness: Harness;
  let upstream: FakeUpstream;
  let call: CallHarness;
  const costs: string[] = [];
  let requests = 0;
  const start = async (dataDir?: string): Promise<void> => {
    const env = {
      OPENAI_API_KEY: 'sk-of-the-operator',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      ANTHROPIC_API_KEY: 'sk-of-the-operator',
      ANTHROPIC_BASE_URL: upstream.url,
    };
    harness = await startStandalone({ env, ...(dataDir === undefined ? {} : { dataDir }) });
    call = createCallHarness(harness);
  };
  beforeAll(async () => {
    upstream = await startFakeUpstream();
    await start();
  }, 60_000);
  afterAll(async () => {
    await harness.process.terminate();
    await upstream.stop();
  });

  /** The last cost that is reported anywhere in a reply, whole or streamed. */
  const costOf = ({ text }: HarnessReply): string => usdText(Number([...text.matchAll(/"cost":([0-9.e-]+)/g)].at(-1)?.[1]));
  const note = (reply: HarnessReply): void => {
    expect(reply.status).toBe(200);
    costs.push(costOf(reply));
    requests += 1;
  };

  it.each(ENDPOINTS)('%s %j is served once and answered twice, byte for byte', async (path, body) => {
    const key = { 'idempotency-key': randomUUID() };
    const before = upstream.requests.length;
    const first = await call(`POST ${path}`, body, key);
    note(first);
    const sent = upstream.requests.length;
    // The order of members is no difference.
    const again = await call(`POST ${path}`, Object.fromEntries(Object.entries(body).reverse()), key);

    expect(again).toMatchObject({ status: 200, text: first.text });
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true', 'content-type': first.headers['content-type'] ?? '' });
    expect(again.headers['x-weir-cost']).toBe(first.headers['x-weir-cost']);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect([sent - before <= 1, upstream.requests.length]).toEqual([true, sent]);
    const conflict = await call(`POST ${path}`, { ...body, user: 'somebody else' }, key);
    expect(conflict.status).toBe(409);
    if (path !== '/v1/messages') expect(conflict.json).toMatchObject({ error: { code: 'idempotency_key_reused' } });
  });

  it('a picture and speech are made once, and answered twice, byte for byte', async () => {
    const ask = async (path: string, body: object, key: string) => {
      const headers = { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json', 'idempotency-key': key };
      const reply = await fetch(`${harness.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
    };
    const picture = { model: 'sandbox/image', prompt: 'a kite', size: '64x64', n: 2 };
    const speech = { model: 'sandbox/speech', input: 'Hello there', voice: 'alloy', response_format: 'wav' };
    for (const [path, body] of [['/v1/images/generations', picture] as const, ['/v1/audio/speech', speech] as const]) {
      const key = randomUUID();
      const [first, again] = [await ask(path, body, key), await ask(path, body, key)];
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(first.bytes.length).toBeGreaterThan(500);
      expect(again.bytes.equals(first.bytes)).toBe(true);
      for (const name of ['content-type', 'x-weir-cost']) expect(again.headers.get(name)).toBe(first.headers.get(name));
      expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([null, 'true']);
      expect((await ask(path, { ...body, model: `${body.model}-tokens` }, key)).status).toBe(409);
      costs.push(first.headers.get('x-weir-cost') ?? '');
      requests += 1;
    }
  });

  it('a refusal of the request is kept, a failure of the provider is not', async () => {
    const body = { model: 'openai/gpt-4o-mini', messages: HELLO };
    const key = { 'idempotency-key': randomUUID() };
    upstream.reply({ status: 500, body: { error: { message: 'broken' } } });
    expect((await call('POST /v1/chat/completions', body, key)).status).toBe(502);
    note(await call('POST /v1/chat/completions', body, key));

    const other = { 'idempotency-key': randomUUID() };
    upstream.reply({ status: 400, body: { error: { message: 'no such voice' } } });
    const refused = await call('POST /v1/chat/completions', body, other);
    const sent = upstream.requests.length;
    const again = await call('POST /v1/chat/completions', body, other);
    expect([refused.status, again.status, again.text]).toEqual([400, 400, refused.text]);
    expect(upstream.requests).toHaveLength(sent);
    // Both failures reached the provider and are counted, at no cost.
    requests += 2;
  });

  it('a stream whose caller left is carried to its end, charged once, and found by a caller that asks again', async () => {
    const body = {
      model: 'sandbox/chat',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: '!tokens 60 !gap 10' }],
    };
    const headers = { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const leaving = new AbortController();
    const reply = await fetch(`${harness.url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    await reply.body?.getReader().read();
    leaving.abort();

    const running = await call('POST /v1/chat/completions', body, headers);
    expect(running).toMatchObject({ status: 409, headers: { 'retry-after': '1' }, json: { error: { code: 'idempotency_in_progress' } } });
    const found = await callUntil(
      () => call('POST /v1/chat/completions', body, headers),
      ({ status }) => status === 200,
    );
    expect(found.text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(found.text).toContain('"completion_tokens":60');
    note(found);
  }, 20_000);

  it('a hit of the response cache costs nothing and is not counted', async () => {
    const body = { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'cached' }], weir: { cache: 60, trace_id: 'one' } };
    const miss = await call('POST /v1/chat/completions', body);
    note(miss);
    const sent = upstream.requests.length;
    const hit = await call('POST /v1/chat/completions', { ...body, weir: { cache: 60, trace_id: 'two' } });

    expect([miss.headers['x-weir-cache'], hit.headers['x-weir-cache']]).toEqual(['miss', 'hit']);
    expect(hit.headers['x-weir-cost']).toBe('0');
    expect((hit.json['usage'] as { cost: number }).cost).toBe(0);
    expect(hit.json).toEqual({ ...miss.json, usage: { ...(miss.json['usage'] as object), cost: 0 } });
    expect(upstream.requests).toHaveLength(sent);
    const stranger = await call('POST /v1/chat/completions', { ...body, weir: {} });
    expect(stranger.headers['x-weir-cache']).toBeUndefined();
    note(stranger);
  });

  it('what was kept outlives the process, and everything was charged once', async () => {
    const body = { model: 'sandbox/chat', messages: HELLO };
    const key = { 'idempotency-key': randomUUID() };
    const first = await call('POST /v1/chat/completions', body, key);
    note(first);
    await harness.process.terminate();
    await start(harness.dataDir);

    const again = await call('POST /v1/chat/completions', body, key);
    expect(again).toMatchObject({ status: 200, text: first.text, headers: { 'idempotency-replayed': 'true' } });
    const day = await waitForRequests(harness, requests);
    expect([day.total_requests, day.spend]).toEqual([requests, addUsd(costs)]);
  }, 60_000);
});
