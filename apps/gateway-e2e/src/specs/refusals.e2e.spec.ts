import { startStandalone, type Harness } from '../harness/start-standalone';

type Envelope = { type?: string; error: { origin?: string; message: string; code?: string; request_id?: string; type?: string } };

describe('what the gateway refuses, and how', () => {
  let harness: Harness;
  const hello = { model: 'sandbox/chat', messages: [{ role: 'user', content: 'hi' }] };

  beforeAll(async () => {
    harness = await startStandalone({ env: { JSON_BODY_BYTES_MAX: '100000' } });
  });
  afterAll(async () => {
    await harness.process.terminate();
  });

  async function post(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: Envelope; headers: Headers }> {
    const reply = await fetch(`${harness.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${harness.apiKey}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: reply.status, body: (await reply.json()) as Envelope, headers: reply.headers };
  }

  async function manage(
    method: string,
    path: string,
    body?: unknown,
    key = harness.apiKey,
  ): Promise<{ status: number; json: Record<string, unknown> }> {
    const reply = await fetch(`${harness.managementUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  }

  it.each([
    ['no credentials', { authorization: '' }, 401, 'missing_credentials'],
    ['an unknown key', { authorization: 'Bearer some-unknown-key-00000000' }, 403, 'invalid_credentials'],
    ['a key with a typing error', { authorization: 'Bearer weir_live_000000000000000000000000000000000000' }, 403, 'invalid_credentials'],
  ])('%s', async (_name, headers, status, code) => {
    const refused = await post('/v1/chat/completions', hello, headers);

    expect(refused.status).toBe(status);
    expect(refused.body.error).toMatchObject({ origin: 'router', code, request_id: refused.headers.get('x-request-id') });
  });

  it.each([
    ['an unknown model', { ...hello, model: 'no-one/nothing' }, 404, 'model_not_found'],
    ['a model of another modality', { ...hello, model: 'openai/text-embedding-3-small' }, 404, 'model_not_found'],
    ['a provider without a key', { ...hello, model: 'mistral/mistral-large-latest' }, 404, 'provider_not_configured'],
    ['no messages', { model: 'sandbox/chat' }, 400, 'invalid_request'],
    ['a model that is no text', { ...hello, model: 7 }, 400, 'invalid_request'],
    ['stream that is no boolean', { ...hello, stream: 'yes' }, 400, 'invalid_request'],
    ['broken JSON', '{"model":', 400, 'invalid_json'],
    ['a list', '[]', 400, 'invalid_json'],
    ['deep nesting', `{"model":"sandbox/chat","messages":${'['.repeat(100)}${']'.repeat(100)}}`, 400, 'invalid_request'],
    ['a body that is too large', { ...hello, padding: 'x'.repeat(100_001) }, 413, 'body_too_large'],
  ])('%s', async (_name, body, status, code) => {
    const refused = await post('/v1/chat/completions', body);

    expect(refused).toMatchObject({ status, body: { error: { origin: 'router', code } } });
  });

  it('bodies that are not JSON by their own account, and compressed ones', async () => {
    expect((await post('/v1/chat/completions', hello, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('/v1/chat/completions', hello, { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('in the messages dialect on the messages endpoint', async () => {
    const refused = await post('/v1/messages', { model: 'no-one/nothing', max_tokens: 5, messages: [] });

    expect(refused.body).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
  });

  it.each([
    ['messages[0].role', { messages: [{ role: 'x', content: 'hi' }] }],
    ['max_tokens', { max_tokens: 0 }],
    ['tools', { tools: 'x' }],
    ['tool_choice', { tool_choice: 'bogus' }],
    ['response_format.type', { response_format: { type: 'x' } }],
  ])('a wrong %s, whatever the provider would make of it', async (field, more) => {
    const refused = await post('/v1/chat/completions', { ...hello, ...more });

    expect(refused).toMatchObject({ status: 400, body: { error: { origin: 'router', code: 'invalid_request' } } });
    expect(refused.body.error.message).toContain(field);
  });

  it('a wrong temperature, which a provider of the same dialect refuses itself', async () => {
    const refused = await post('/v1/chat/completions', { ...hello, temperature: 3 });

    expect(refused).toMatchObject({ status: 400, body: { error: { origin: 'provider', code: 'provider_refused' } } });
    expect(refused.body.error.message).toContain('temperature');
  });

  it('unknown paths and methods, each in the envelope of its place and never HTML', async () => {
    const nothing = await fetch(`${harness.url}/v1/nothing`);

    expect(nothing.status).toBe(404);
    expect(await nothing.json()).toMatchObject({ error: { origin: 'router', code: 'not_found' } });
    for (const route of ['GET /v1/chat/completions', 'PUT /v1/images/edits', 'POST /v1/models', 'DELETE /v1/audio/speech']) {
      const [method = '', path = ''] = route.split(' ');
      const wrong = await fetch(`${harness.url}${path}`, { method });

      expect([route, wrong.status]).toEqual([route, 405]);
      expect(wrong.headers.get('allow')).toMatch(/^(GET, HEAD|POST)$/);
      expect(await wrong.json()).toMatchObject({ error: { origin: 'router', code: 'method_not_allowed' } });
    }
    const ofMessages = await fetch(`${harness.url}/v1/messages`);
    const ofAccessLists = await fetch(`${harness.managementUrl}/v1/manage/access-list`, { method: 'PUT' });

    expect(ofMessages.status).toBe(405);
    expect(await ofMessages.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    expect(await ofAccessLists.json()).toEqual({ error: { message: expect.stringContaining('PUT') as string } });
  });

  it('the default model is asked for when none is named', async () => {
    for (const body of [{ messages: hello.messages }, { ...hello, model: null }]) {
      const refused = await post('/v1/chat/completions', body);

      expect(refused).toMatchObject({ status: 404, body: { error: { message: expect.stringContaining('openai/gpt-4o-mini') as string } } });
    }
  });

  it('models outside a key’s access list, in inference and in the model list alike', async () => {
    const list = await manage('POST', '/v1/manage/access-list', { name: 'free only', auto_approve: false, chat: ['sandbox/chat-free'] });
    const key = await manage('POST', '/v1/manage/apikey', {
      name: 'limited',
      access_list_id: list.json['id'],
      permissions: { manage: 'none', completions: 'write' },
    });
    expect(key.status).toBe(201);
    const limited = { authorization: `Bearer ${String(key.json['api_key'])}` };

    const refused = await post('/v1/chat/completions', hello, limited);
    const allowed = await post('/v1/chat/completions', { ...hello, model: 'sandbox/chat-free' }, limited);
    const shown = (await (await fetch(`${harness.url}/v1/models`, { headers: { 'x-api-key': String(key.json['api_key']) } })).json()) as {
      data: { id: string }[];
    };
    const forbidden = await manage('GET', '/v1/manage/org/usage?start=2026-01-01T00:00:00Z', undefined, String(key.json['api_key']));

    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'model_not_allowed' } } });
    expect(allowed.status).toBe(200);
    expect(shown.data.map(({ id }) => id)).toEqual(['sandbox/chat-free']);
    expect(forbidden.status).toBe(403);
  });

  it('a revoked key within five seconds', async () => {
    const key = await manage('POST', '/v1/manage/apikey', { name: 'short-lived', permissions: { completions: 'write' } });
    const credentials = { authorization: `Bearer ${String(key.json['api_key'])}` };
    expect((await post('/v1/chat/completions', hello, credentials)).status).toBe(200);

    expect((await manage('DELETE', `/v1/manage/apikey/${String(key.json['api_key_id'])}`)).status).toBe(204);
    const deadline = Date.now() + 5000;
    let status = 200;
    while (status === 200 && Date.now() < deadline) ({ status } = await post('/v1/chat/completions', hello, credentials));

    expect(status).toBe(403);
    expect((await fetch(`${harness.url}/v1/auth/check`, { headers: credentials })).status).toBe(401);
  });

  it('lists without a key what it can route, and on demand more than a thousand models, with prices', async () => {
    const routable = (await (await fetch(`${harness.url}/v1/models/all`)).json()) as { data: { id: string }[] };
    const all = (await (await fetch(`${harness.url}/v1/models/all?all=true`)).json()) as {
      object: string;
      data: Record<string, unknown>[];
    };
    expect(routable.data.map(({ id }) => id).filter((id) => !id.startsWith('sandbox/'))).toEqual([]);
    expect(all.data.length).toBeGreaterThan(1_000);
    const mini = all.data.find(({ id }) => id === 'openai/gpt-4o-mini');

    expect(all.object).toBe('list');
    expect(mini).toMatchObject({
      api: 'chat',
      object: 'model',
      context_window: 128000,
      input_price: 1.5e-7,
      pricing: [{ prompt_tokens_threshold: 0, input_price: 1.5e-7, cached_price: 7.5e-8, output_price: 6e-7 }],
    });
    for (const modality of ['chat', 'embedding', 'image', 'speech', 'transcription']) {
      const list = (await (await fetch(`${harness.url}/v1/models/${modality}`)).json()) as { data: { api: string }[] };
      expect(new Set(list.data.map(({ api }) => api))).toEqual(new Set([modality]));
    }
  });

  it('writes one log line a request, without keys or content', async () => {
    await post('/v1/chat/completions', { model: 'sandbox/chat', messages: [{ role: 'user', content: 'canary-in-a-prompt' }] });
    const lines = harness.process
      .output()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'));

    expect(lines.length).toBeGreaterThan(10);
    expect(harness.process.output()).not.toContain('canary-in-a-prompt');
    expect(lines.join('\n')).not.toContain(harness.apiKey);
  });
});
