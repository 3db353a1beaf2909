import Anthropic from '@anthropic-ai/sdk';
import { startFakeUpstream, type FakeUpstream } from '@weir/testing';
import OpenAI from 'openai';
import { callUntil, createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { pointAt } from '../harness/client-harness';
import { ANTHROPIC, createRoutes, createRule, explainReply, OPENAI } from '../harness/create-routes';
import { addUsd } from '../harness/price-by-hand';
import { readUsage, waitForRequests } from '../harness/read-usage';
import { BEGUN_AND_FAILED, OVERLOADED, scriptOutages, type Outages } from '../harness/script-outages';
import { startStandalone, type Harness } from '../harness/start-standalone';

const HELLO = [{ role: 'user', content: 'Hello there' }];

/** Every chat dialect, whole and streamed. */
const DIALECTS = (
  [
    ['/v1/chat/completions', { max_tokens: 50, messages: HELLO, stream_options: { include_usage: true } }],
    ['/v1/responses', { max_output_tokens: 50, input: 'Hello there' }],
    ['/v1/messages', { max_tokens: 50, messages: HELLO }],
  ] as const
).flatMap(([path, body]) => [false, true].map((stream) => ({ path, stream, body: { ...body, stream } as Record<string, unknown> })));

type Generation = {
  readonly model_requested: string;
  readonly model: string;
  readonly cost: string;
  readonly billed: string;
  readonly attempts: readonly Record<string, unknown>[];
};

describe('where requests go', () => {
  let upstream: FakeUpstream;
  let outages: Outages;
  let harness: Harness;
  let call: CallHarness;
  let served = 0;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    outages = scriptOutages(upstream);
    const times = { UPSTREAM_HEADERS_TIMEOUT_MS: '1000', UPSTREAM_IDLE_TIMEOUT_MS: '1000', REQUEST_TIMEOUT_MS: '20000' };
    harness = await startStandalone({ env: { ...pointAt(upstream), ...times } });
    call = createCallHarness(harness);
    await createRule(call, '/v1/manage/policy', { name: 'again', strategy: 'fallback', models: [{ model: OPENAI, retries: 2 }] });
    await createRoutes(call);
    served += 1;
  }, 60_000);
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
    await upstream.stop();
  });

  const ask = async (model: string, more: object = {}, headers: Record<string, string> = {}): Promise<HarnessReply> => {
    const reply = await call('POST /v1/chat/completions', { model, max_tokens: 50, messages: HELLO, ...more }, headers);
    if (reply.headers['x-weir-attempts'] !== undefined) served += 1;
    return reply;
  };
  /** So that a provider which was made to fail is not thought to be down. */
  const recover = async (): Promise<void> => {
    for (const model of [ANTHROPIC, ANTHROPIC, ANTHROPIC, OPENAI]) expect((await ask(model)).status).toBe(200);
  };
  const explain = async (reply: HarnessReply): Promise<Generation> => (await explainReply(call, reply)) as Generation;

  it.each(DIALECTS)('$path, streamed: $stream: goes on to the next provider, says who served, and explains it', async ({ path, body }) => {
    await recover();
    outages.next('/messages', OVERLOADED);
    const reply = await call(`POST ${path}`, { ...body, model: 'best' });
    served += 1;

    expect([reply.status, reply.headers['x-weir-attempts'], reply.headers['x-weir-model']]).toEqual([200, '2', OPENAI]);
    expect(reply.text).toContain('"model":"gpt-4o-mini"');
    expect(reply.text).toContain('echo');
    const cost = /"cost":([\d.]+)/.exec(reply.text)?.[1] ?? '';
    expect(await explain(reply)).toMatchObject({
      model_requested: 'best',
      model: OPENAI,
      attempts: [
        {
          number: 1,
          model: ANTHROPIC,
          why_chosen: 'policy/main: fallback',
          why_left: 'provider_overloaded',
          provider_status: 529,
          cost: '0',
        },
        { number: 2, model: OPENAI, why_chosen: 'policy/main: fallback 1', why_left: null, provider_status: 200, cost },
      ],
      cost,
      billed: cost,
    });
  });

  it('counts a request once, however many attempts it took, and shows the attempts to no other organization', async () => {
    outages.next('/messages', OVERLOADED);
    const reply = await ask('best');
    const { attempts } = await explain(reply);
    expect(attempts).toHaveLength(2);
    await waitForRequests(harness, served);
    expect(Object.values((await readUsage(harness)).usage)[0]?.total_requests).toBe(served);
    expect((await call('GET /v1/generation/unknown')).status).toBe(404);
    expect((await call('GET /v1/generation/x', undefined, { authorization: 'Bearer no-one-has-this-key-0123' })).status).toBe(403);
    await recover();
  });

  it('lists requests as they come to be counted, with the prices that their cost is the sum of', async () => {
    const before = await call('GET /v1/generation?limit=1');
    outages.next('/messages', OVERLOADED);
    const reply = await ask('best', { stream: true, stream_options: { include_usage: true } });
    const explained = await explain(reply);
    const after = await call(`GET /v1/generation?after=${String(before.json['newest_cursor'])}`);
    const id = reply.headers['x-request-id'];
    const line = { id, attempts: 2, stream: true, model: OPENAI, model_requested: 'best', cost: explained.cost, status: 'ok' };
    expect(after.json['generations']).toEqual(expect.arrayContaining([expect.objectContaining(line)]));
    const found = await call(`GET /v1/generation?id=${id ?? ''}&model_requested=best&status=error&status=ok`);
    expect(found.json).toMatchObject({ generations: [line], next_cursor: null });
    const lines = explained.attempts.map(({ price_lines }) => price_lines as { amount: string }[]);
    expect(lines[0]).toEqual([]);
    expect(addUsd((lines[1] ?? []).map(({ amount }) => amount))).toBe(explained.cost);
    await recover();
  });

  it('tries a place again after a pause, honours how long it asks to wait, and gives up when that is long', async () => {
    outages.next('/chat/completions', { status: 429, headers: { 'retry-after': '1' }, body: { error: { message: 'slow down' } } });
    const before = performance.now();
    const reply = await ask('policy/again');
    expect([reply.status, reply.headers['x-weir-attempts']]).toEqual([200, '2']);
    expect(performance.now() - before).toBeGreaterThanOrEqual(1000);

    outages.next('/chat/completions', {
      status: 429,
      headers: { 'retry-after': '40' },
      body: { error: { message: 'come back tomorrow' } },
    });
    const refused = await ask('policy/again');
    expect([refused.status, refused.headers['retry-after'], refused.headers['x-weir-attempts']]).toEqual([429, '40', '1']);
  });

  it('R1: gives up a provider that does not answer, or falls silent before it said a word, and asks the next', async () => {
    for (const silence of [{ hang: true }, { stream: [], hang: true }]) {
      outages.next('/messages', silence);
      const before = performance.now();
      const reply = await ask('best', { stream: true });
      expect([reply.status, reply.headers['x-weir-attempts']]).toEqual([200, '2']);
      expect(performance.now() - before).toBeLessThan(2500);
      expect((await explain(reply)).attempts[0]).toMatchObject({ why_left: 'provider_timeout' });
    }
    outages.next('/messages', { hang: true });
    expect((await ask(ANTHROPIC)).status).toBe(504);
    await recover();
  });

  it('R2: takes a whole reply that breaks off, or cannot be read, for no reply', async () => {
    for (const broken of [{ body: 'not json' }, { body: '{"id":', headers: { 'content-length': '100' } }]) {
      outages.next('/messages', broken);
      const reply = await ask('best');
      expect([reply.status, reply.headers['x-weir-attempts'], reply.headers['x-weir-model']]).toEqual([200, '2', OPENAI]);
    }
    await recover();
  });

  it('R4: bills an attempt that failed after its provider reported usage only where the organization wants that', async () => {
    outages.next('/messages', BEGUN_AND_FAILED);
    const free = await ask('best', { stream: true, stream_options: { include_usage: true } });
    const explained = await explain(free);
    const costs = explained.attempts.map(({ cost }) => Number(cost));
    expect([free.headers['x-weir-attempts'], costs[0]]).toEqual(['2', 0]);
    expect(explained.attempts[0]).toMatchObject({ uncharged: { tokens: { input: 300 } }, why_left: 'provider_overloaded' });
    expect(free.text).toContain(`"cost":${explained.billed}`);

    expect((await call('PATCH /v1/manage/org', { charge_failed_attempts: true })).status).toBe(204);
    const charged = async (): Promise<HarnessReply> => {
      await recover();
      outages.next('/messages', BEGUN_AND_FAILED);
      return ask('best', { stream: true, stream_options: { include_usage: true } });
    };
    const paid = await callUntil(charged, ({ text }) => Number(/"cost":([\d.]+)/.exec(text)?.[1]) > 0.0009);
    const both = await explain(paid);
    expect(both.attempts.map(({ cost }) => Number(cost) > 0)).toEqual([true, true]);
    expect(paid.text).toContain(`"cost":${both.billed}`);
    expect(both.attempts[0]).toMatchObject({ tokens: { input: 300 }, uncharged: null });
    await call('PATCH /v1/manage/org', { charge_failed_attempts: false });
    await recover();
  });

  it('R5: ends a stream that is cut in the middle with an error, and tries no other provider', async () => {
    const before = upstream.requests.length;
    outages.next('/chat/completions', {
      stream: ['Hel', 'lo'].map(
        (content) =>
          `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"${content}"},"finish_reason":null}]}\n\n`,
      ),
      cutAfter: 2,
      gapMs: 20,
    });
    const reply = await ask('policy/again', { stream: true });
    expect([reply.text.includes('Hel'), reply.text.includes('provider_stream_cut'), upstream.requests.length - before]).toEqual([
      true,
      true,
      1,
    ]);
    expect((await explain(reply)).attempts).toEqual([expect.objectContaining({ why_left: 'provider_stream_cut' })]);
  });

  it('asks only members that a key may use, and refuses with why when there are none', async () => {
    const keyWith = async (chat: string[]): Promise<Record<string, string>> => {
      const list = await call('POST /v1/manage/access-list', { name: `of ${chat.join()}`, chat });
      const made = await call('POST /v1/manage/apikey', { name: chat.join(), permissions: { completions: 'write' } });
      await call(`POST /v1/manage/apikey/${String(made.json['api_key_id'])}/access-list`, { access_list_id: list.json['id'] });
      return { authorization: `Bearer ${String(made.json['api_key'])}` };
    };
    const onlyOpenai = await keyWith(['openai/*']);
    const reply = await callUntil(
      () => ask('policy/main', {}, onlyOpenai),
      ({ headers }) => headers['x-weir-model'] === OPENAI,
    );
    expect(reply.headers['x-weir-attempts']).toBe('1');
    const refused = await ask('policy/main', {}, await keyWith(['nothing/*']));
    expect(refused.status).toBe(403);
    expect(refused.text).toContain(`\\"${ANTHROPIC}\\" (model_not_allowed), \\"${OPENAI}\\" (model_not_allowed)`);
    expect(refused.headers['x-should-retry']).toBe('false');
    const listed = await call('GET /v1/models/managed', undefined, onlyOpenai);
    const main = (listed.json['data'] as { id: string; chain: object[] }[]).find(({ id }) => id === 'policy/main');
    expect(main?.chain).toMatchObject([
      { model: ANTHROPIC, available: false },
      { model: OPENAI, available: true },
    ]);
  });

  it('lists policies with their chain, built-in ones as far as they can be used, and serves policies inside policies', async () => {
    const ids = async (headers: Record<string, string>) =>
      ((await call('GET /v1/models/managed', undefined, headers)).json['data'] as { id: string }[]).map(({ id }) => id);
    const own = await ids({});
    expect(own.slice(0, 3)).toEqual(['policy/again', 'policy/main', 'policy/outer']);
    expect(own).toEqual(expect.arrayContaining(['policy/weir-smart', 'policy/weir-sandbox']));
    expect((await ids({ authorization: '' })).every((id) => id.startsWith('policy/weir-'))).toBe(true);
    const listed = (path: string, headers = {}) => call(`GET /v1/models${path}`, undefined, headers);
    for (const name of ['"policy/main"', '"policy/weir-sandbox"', '"best"']) expect((await listed('')).text).toContain(`"id":${name}`);
    expect((await listed('/policy/main')).json).toMatchObject({
      id: 'policy/main',
      object: 'model',
      api: 'chat',
      owned_by: 'organization',
    });
    expect((await listed('/embedding')).text).not.toContain('policy/');
    expect((await listed('', { authorization: '' })).text).not.toContain('policy/');
    expect((await ask('policy/weir-sandbox')).headers['x-weir-model']).toBe('sandbox/chat');
    expect((await ask('policy/outer')).status).toBe(200);
    const estimate = await call('POST /v1/estimate', { model: 'policy/main', max_tokens: 50, messages: HELLO });
    expect(estimate.json).toMatchObject({ allowed: true, attempts: [{ model: ANTHROPIC }, { model: OPENAI }] });
    const wrong = await call('POST /v1/embeddings', { model: 'best', input: 'x' });
    expect([wrong.status, wrong.text.includes('is for chat')]).toEqual([404, true]);
    expect((await ask('policy/none')).status).toBe(404);
  });

  it('keeps a conversation going across providers and dialects, tools and reasoning included', async () => {
    const think = { type: 'thinking', thinking: 'The weather tool will know.', signature: 'c2lnbmF0dXJl' };
    const use = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } };
    outages.next('/messages', {
      body: {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_reason: 'tool_use', stop_sequence: null },
        content: [think, use],
        usage: { input_tokens: 20, output_tokens: 30 },
      },
    });
    const tools = [
      { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } },
    ];
    const question = { role: 'user', content: 'How is the weather in Oslo?' };
    const first = await ask('best', { messages: [question], tools, reasoning_effort: 'low', max_tokens: 4000 });
    const answered = (first.json['choices'] as { message: { tool_calls: { id: string }[] } }[])[0]?.message;
    expect([first.headers['x-weir-model'], answered?.tool_calls.length]).toEqual([ANTHROPIC, 1]);

    const messages = [question, answered, { role: 'tool', tool_call_id: answered?.tool_calls[0]?.id, content: 'Rain' }];
    outages.next('/messages', OVERLOADED);
    const second = await ask('best', { messages, tools, max_tokens: 4000 });
    expect([second.status, second.headers['x-weir-model']]).toEqual([200, OPENAI]);
    const reported = JSON.parse(upstream.requests.at(-1)?.bodyText ?? '') as { messages: Record<string, unknown>[] };
    expect(reported.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(reported.messages[1]).toMatchObject({ tool_calls: [{ function: { name: 'weather', arguments: '{"city":"Oslo"}' } }] });
    expect(JSON.stringify(reported)).not.toContain('c2lnbmF0dXJl');

    const reply = (second.json['choices'] as { message: object }[])[0]?.message;
    const third = await ask('best', {
      messages: [...messages, reply, { role: 'user', content: 'And tomorrow?' }],
      tools,
      max_tokens: 4000,
    });
    expect([third.status, third.headers['x-weir-model']]).toEqual([200, ANTHROPIC]);
    const again = JSON.parse(upstream.requests.at(-1)?.bodyText ?? '') as { messages: { content: unknown }[] };
    expect(JSON.stringify(again.messages)).toContain('c2lnbmF0dXJl');
  });

  it('keeps a conversation of the messages dialect going that began at a provider with reasoning of its own kind', async () => {
    const made = await call('POST /v1/manage/policy', {
      name: 'talk',
      strategy: 'fallback',
      models: ['openai-responses/gpt-5', ANTHROPIC],
    });
    expect(made.status).toBe(201);
    const output = [
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'The tool will know.' }],
        encrypted_content: 'RU5DUllQVEVE',
      },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}', status: 'completed' },
    ];
    const usage = { input_tokens: 20, output_tokens: 30, total_tokens: 50 };
    const answer = { body: { id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'gpt-5', output, usage } };
    const tools = [{ name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } }];
    const more = { model: 'policy/talk', tools, max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 1024 } };
    const question = { role: 'user', content: 'How is the weather in Oslo?' };
    const say = (messages: object[]): Promise<HarnessReply> => call('POST /v1/messages', { ...more, messages });
    const sent = (): string => upstream.requests.at(-1)?.bodyText ?? '';

    outages.next('/responses', answer);
    const first = await callUntil(
      () => say([question]),
      ({ status }) => status === 200,
    );
    expect(first.json['content']).toMatchObject([
      { type: 'thinking', thinking: 'The tool will know.' },
      { type: 'tool_use', name: 'weather' },
    ]);
    const [, use] = first.json['content'] as { id: string }[];
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: use?.id, content: 'Rain' }] };
    const history = [question, { role: 'assistant', content: first.json['content'] }, result];

    outages.next('/responses', { status: 503, body: { error: { message: 'down' } } });
    const second = await say(history);
    expect([second.status, second.headers['x-weir-attempts'], second.headers['x-weir-model']]).toEqual([200, '2', ANTHROPIC]);
    expect(sent()).toContain('"type":"tool_result"');
    expect(sent()).not.toContain('RU5DUllQVEVE');

    outages.next('/responses', answer);
    const third = await say([
      ...history,
      { role: 'assistant', content: second.json['content'] },
      { role: 'user', content: 'And tomorrow?' },
    ]);
    expect([third.status, third.headers['x-weir-model']]).toEqual([200, 'openai-responses/gpt-5']);
    expect(sent()).toContain('"encrypted_content":"RU5DUllQVEVE"');
    expect(sent()).toContain('"type":"function_call_output"');
  });

  it('R7: official clients ask once where trying again cannot help, and again where it can', async () => {
    const limited = await call('POST /v1/manage/apikey', { name: 'poor', monthly_limit: 0.000001, permissions: { completions: 'write' } });
    let calls = 0;
    const countingFetch: typeof fetch = (...asked) => {
      calls += 1;
      return fetch(...asked);
    };
    /** Status and how often it was asked for, of the client with its own idea of trying again. */
    const ask = async (of: { model?: string; apiKey?: string; headers?: Record<string, string> }): Promise<[number, number][]> => {
      const { model = OPENAI, apiKey = harness.apiKey, headers = {} } = of;
      const question = { model, max_tokens: 50, messages: [{ role: 'user' as const, content: 'Hello there' }] };
      const openai = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey, fetch: countingFetch });
      const anthropic = new Anthropic({ baseURL: harness.url, apiKey, fetch: countingFetch });
      const outcomes: [number, number][] = [];
      for (const send of [
        () => openai.chat.completions.create(question, { headers }),
        () => anthropic.messages.create(question, { headers }),
      ]) {
        calls = 0;
        const status = await send().then(
          () => 200,
          (error: { status: number }) => error.status,
        );
        outcomes.push([status, calls]);
      }
      return outcomes;
    };
    const both = (status: number, times: number): [number, number][] => [
      [status, times],
      [status, times],
    ];
    const fail = (status: number): void => {
      upstream.reply({ status, body: { error: { message: 'no' } } }, { when: ({ path }) => path.endsWith('/chat/completions'), times: 1 });
    };

    expect(await ask({ model: 'no-one/nothing' })).toEqual(both(404, 1));
    expect(await ask({ apiKey: String(limited.json['api_key']) })).toEqual(both(412, 1));
    await ask({ headers: { 'idempotency-key': 'storm' } });
    expect(await ask({ headers: { 'idempotency-key': 'storm' }, model: ANTHROPIC })).toEqual(both(409, 1));
    fail(401);
    expect((await ask({}))[0]).toEqual([502, 1]);
    fail(500);
    expect((await ask({}))[0]).toEqual([200, 2]);
  });

  it('R3: leaves a provider out that fails again and again, and stops asking it first', async () => {
    upstream.reply({ status: 500, body: { error: { message: 'down' } } }, { when: ({ path }) => path.endsWith('/messages'), times: 5 });
    const attempts: unknown[] = [];
    for (let count = 0; count < 8; count += 1) attempts.push((await ask('best')).headers['x-weir-attempts']);
    expect(attempts).toEqual(['2', '2', '2', '2', '2', '1', '1', '1']);
    expect((await explain(await ask('best'))).attempts).toMatchObject([{ model: OPENAI, why_left: null }]);
  });
});
