import { startFakeUpstream, type FakeUpstream, type RecordedRequest, type ReplyScript } from '@weir/testing';
import { createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { pointAt } from '../harness/client-harness';
import { explainReply } from '../harness/create-routes';
import { priceByHand, usdText } from '../harness/price-by-hand';
import { startStandalone, type Harness } from '../harness/start-standalone';

type Body = Readonly<Record<string, unknown>>;

const MESSAGES = [{ role: 'user', content: 'Hello there' }];
const CHEAP = 'anthropic/claude-haiku-4-5';
const DEAR = 'claude-opus-4-8';
const FREE = 'openrouter/alibaba/qwen3-coder:free';
const TOKENS = { input: 200, output: 40 };

/** A provider that does what members of the body say, and names in its reply the model that replied. */
function obey({ bodyText, path }: RecordedRequest): ReplyScript {
  const { model, models, fallbacks } = JSON.parse(bodyText) as { model: string; models?: string[]; fallbacks?: { model: string }[] };
  const served = fallbacks?.[0]?.model ?? models?.[0] ?? model;
  if (path.endsWith('/messages')) {
    const usage = { input_tokens: TOKENS.input, output_tokens: TOKENS.output };
    const content = [{ type: 'text', text: 'Hi' }];
    return {
      body: { id: 'm', type: 'message', role: 'assistant', model: served, content, stop_reason: 'end_turn', stop_sequence: null, usage },
    };
  }
  const usage = { prompt_tokens: TOKENS.input, completion_tokens: TOKENS.output, total_tokens: TOKENS.input + TOKENS.output };
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
  return { body: { id: 'c', object: 'chat.completion', created: 1, model: served, choices, usage } };
}

describe('members that choose another model, a provider or a tool', () => {
  let harness: Harness;
  let upstream: FakeUpstream;
  let call: CallHarness;
  let key: string;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    const env = { ...pointAt(upstream), OPENROUTER_API_KEY: 'upstream-key', OPENROUTER_BASE_URL: `${upstream.url}/v1` };
    harness = await startStandalone({ env });
    call = createCallHarness(harness);
    const made = await call('POST /v1/manage/apikey', { name: 'confined' });
    key = String(made.json['api_key']);
    const list = await call('POST /v1/manage/access-list', { name: 'cheap', chat: [CHEAP, FREE], auto_approve: false });
    await call(`POST /v1/manage/apikey/${String(made.json['api_key_id'])}/access-list`, { access_list_id: list.json['id'] });
    upstream.reply(obey, { when: ({ path }) => /\/(messages|chat\/completions)$/.test(path) });
  }, 60_000);
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
    await upstream.stop();
  });

  const ask = (path: string, body: Body): Promise<HarnessReply> =>
    call(`POST ${path}`, { max_tokens: 100, messages: MESSAGES, ...body }, { authorization: `Bearer ${key}` });
  const messageOf = ({ json }: HarnessReply): string => (json['error'] as { message: string } | undefined)?.message ?? '';

  it('let a key ask for what its list has, and for nothing else', async () => {
    expect((await ask('/v1/messages', { model: CHEAP })).status).toBe(200);
    expect((await ask('/v1/messages', { model: `anthropic/${DEAR}` })).status).toBe(403);
  });

  it.each<[string, string, Body]>([
    ['fallbacks', '/v1/messages', { model: CHEAP, fallbacks: [{ model: DEAR }] }],
    ['fallbacks', '/v1/messages/count_tokens', { model: CHEAP, fallbacks: [{ model: DEAR }] }],
    ['tools[0].model', '/v1/messages', { model: CHEAP, tools: [{ type: 'advisor_20260301', name: 'advisor', model: DEAR }] }],
    ['models', '/v1/chat/completions', { model: FREE, models: ['openai/gpt-5.2-pro'] }],
    ['route', '/v1/chat/completions', { model: FREE, route: 'fallback' }],
    ['provider', '/v1/chat/completions', { model: FREE, provider: { order: ['azure'] } }],
    ['preset', '/v1/chat/completions', { model: FREE, preset: 'dear' }],
    ['plugins', '/v1/chat/completions', { model: FREE, plugins: [{ id: 'web' }] }],
    ['tools[0].type', '/v1/chat/completions', { model: FREE, tools: [{ type: 'openrouter:image_generation' }] }],
  ])('are refused by name, before anything is sent: %s at %s', async (field, path, body) => {
    const before = upstream.requests.length;
    const refused = await ask(path, body);
    expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringContaining(field) as string]);
    expect(upstream.requests).toHaveLength(before);
  });

  it.each<[string, Body]>([
    ['/v1/completions', { model: FREE, prompt: 'Hello', messages: undefined, models: ['openai/gpt-5.2-pro'] }],
    ['/v1/messages', { model: FREE, models: ['openai/gpt-5.2-pro'] }],
    ['/v1/chat/completions', { model: CHEAP, models: ['openai/gpt-5.2-pro'] }],
  ])('are left out and reported where the body is translated: at %s', async (path, body) => {
    const reply = await ask(path, body);
    expect([reply.status, reply.headers['x-weir-dropped']]).toEqual([200, 'models']);
    expect(JSON.parse(upstream.requests.at(-1)?.bodyText ?? '')).not.toHaveProperty('models');
  });

  it('find no model by a suffix that the catalogue does not have', async () => {
    for (const suffix of [':online', ':nitro', ':floor'])
      expect((await ask('/v1/chat/completions', { model: FREE + suffix })).status).toBe(404);
  });

  it('are left out and reported where no one knows them and the provider may charge for them', async () => {
    const reply = await ask('/v1/chat/completions', { model: FREE, brand_new: { dear: true }, min_p: 0.1 });
    expect([reply.status, reply.headers['x-weir-dropped']]).toEqual([200, 'brand_new']);
    const sent = JSON.parse(upstream.requests.at(-1)?.bodyText ?? '') as Body;
    expect(sent).not.toHaveProperty('brand_new');
    expect(sent).toMatchObject({ min_p: 0.1 });
  });

  it('are passed on where no one knows them and the provider cannot charge for them', async () => {
    const reply = await call('POST /v1/chat/completions', {
      model: 'openai/gpt-4o-mini',
      max_tokens: 100,
      messages: MESSAGES,
      brand_new: 1,
    });
    expect([reply.status, reply.headers['x-weir-dropped']]).toEqual([200, undefined]);
    expect(JSON.parse(upstream.requests.at(-1)?.bodyText ?? '')).toMatchObject({ brand_new: 1 });
  });
});

describe('a reply that names another model than the one that was asked for', () => {
  let harness: Harness;
  let upstream: FakeUpstream;
  let call: CallHarness;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    harness = await startStandalone({ env: pointAt(upstream) });
    call = createCallHarness(harness);
  }, 60_000);
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
    await upstream.stop();
  });

  const ask = (model: string, served: string, headers: Record<string, string> = {}): Promise<HarnessReply> => {
    upstream.reply((request) => obey({ ...request, bodyText: JSON.stringify({ model: served }) }), { times: 1 });
    return call('POST /v1/chat/completions', { model, max_tokens: 100, messages: MESSAGES }, headers);
  };

  it('is priced, shown and counted as that model', async () => {
    const reply = await ask('openai/gpt-4o-mini', 'gpt-4o-2024-08-06');
    const cost = priceByHand([
      [TOKENS.input, '2.5'],
      [TOKENS.output, '10'],
    ]);
    expect(reply.headers).toMatchObject({ 'x-weir-model': 'openai/gpt-4o-2024-08-06', 'x-weir-cost': cost });
    expect(usdText((reply.json['usage'] as { cost: number }).cost)).toBe(cost);
    expect(await explainReply(call, reply)).toMatchObject({
      model: 'openai/gpt-4o-2024-08-06',
      model_requested: 'openai/gpt-4o-mini',
      cost,
    });
  });

  it('is priced and counted as that model in a stream as well', async () => {
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-2024-08-06' };
    const usage = { prompt_tokens: TOKENS.input, completion_tokens: TOKENS.output, total_tokens: TOKENS.input + TOKENS.output };
    const frames = [
      { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { ...chunk, choices: [], usage },
    ].map((frame) => `data: ${JSON.stringify(frame)}\n\n`);
    upstream.reply({ headers: { 'content-type': 'text/event-stream' }, body: `${frames.join('')}data: [DONE]\n\n` }, { times: 1 });
    const more = { stream: true, stream_options: { include_usage: true } };
    const reply = await call('POST /v1/chat/completions', { model: 'openai/gpt-4o-mini', max_tokens: 100, messages: MESSAGES, ...more });
    expect(reply.text).toContain('"cost":0.0009');
    expect(await explainReply(call, reply)).toMatchObject({ model: 'openai/gpt-4o-2024-08-06', cost: '0.0009' });
  });

  it.each(['gpt-4o-mini', 'gpt-4o-mini-2024-07-18', 'a-name-of-no-row', ''])('stays the one that was asked for: %j', async (served) => {
    const reply = await ask('openai/gpt-4o-mini', served);
    expect(reply.headers).toMatchObject({ 'x-weir-model': 'openai/gpt-4o-mini', 'x-weir-cost': '0.000054' });
  });

  it('costs no more than what was held for the one that was asked for', async () => {
    const limit = '0.002';
    const made = await call('POST /v1/manage/apikey', { name: 'limited', monthly_limit: Number(limit) });
    const authorization = `Bearer ${String(made.json['api_key'])}`;
    const reply = await ask('openai/gpt-4o-mini', 'gpt-4o-2024-08-06', { authorization });
    const { cost, estimated } = reply.json['usage'] as { cost: number; estimated?: boolean };
    expect(estimated).toBe(true);
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThan(0.0002);
    expect(reply.headers).toMatchObject({ 'x-weir-model': 'openai/gpt-4o-2024-08-06', 'x-weir-cost': usdText(cost) });
  });
});
