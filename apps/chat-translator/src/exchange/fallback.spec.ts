import type { Attempt, ChatDialect, Passport, UsageEvent } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { createProviderDirectory } from '@weir/providers';
import { checkStreamGrammar, createMemoryMetering, encodeSseFrame, makeAttempt, makePassport, serveWorker } from '@weir/testing';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { composeChatTranslator } from '../compose';

const catalog = createBuiltInCatalog();

/** What a provider sends after its head, and then nothing; with an end it closes the connection. */
type Script = { readonly frames: readonly string[]; readonly isEnded?: boolean; readonly hasHead?: false };

const sse = (data: { readonly type: string } & Readonly<Record<string, unknown>>): string => encodeSseFrame(data, data.type);
const chunk = (delta: object, finish: string | null = null): string =>
  encodeSseFrame({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
const response = (status: string, more: object = {}): object => ({
  ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'gpt-5', status, output: [], tools: [], tool_choice: 'auto' },
  ...{ parallel_tool_calls: true, error: null, incomplete_details: null, instructions: null, metadata: {}, temperature: 1, top_p: 1 },
  ...more,
});
const USAGE = { input_tokens: 300, output_tokens: 1 };

/** The events that a reply of each provider opens with. */
const OPENING = {
  anthropic: [
    sse({
      type: 'message_start',
      message: {
        id: 'abandoned',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: USAGE,
      },
    }),
    sse({ type: 'ping' }),
    sse({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  ],
  openai: [chunk({ role: 'assistant', content: '', refusal: null }).replace('"c"', '"abandoned"')],
  'openai-responses': [
    sse({ type: 'response.created', sequence_number: 0, response: response('in_progress', { id: 'abandoned' }) }),
    sse({ type: 'response.in_progress', sequence_number: 1, response: response('in_progress', { id: 'abandoned' }) }),
    sse({
      ...{ type: 'response.output_item.added', sequence_number: 2, output_index: 0 },
      item: { type: 'message', id: 'm', status: 'in_progress', role: 'assistant', content: [] },
    }),
    sse({
      ...{ type: 'response.content_part.added', sequence_number: 3, item_id: 'm', output_index: 0, content_index: 0 },
      part: { type: 'output_text', text: '', annotations: [], logprobs: [] },
    }),
  ],
} as const;
type ProviderId = keyof typeof OPENING;

const FAILED = sse({
  type: 'response.failed',
  sequence_number: 2,
  response: response('failed', {
    id: 'abandoned',
    error: { code: 'server_error', message: 'broken' },
    usage: { ...USAGE, total_tokens: 301 },
  }),
});
const overloaded = (type = 'overloaded_error'): string => sse({ type: 'error', error: { type, message: 'Overloaded' } });

/** A reply of the second provider, which is another one than the first in each case. */
const SERVED: Script = {
  isEnded: true,
  frames: [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'served' }),
    chunk({}, 'stop'),
    encodeSseFrame({
      ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [] },
      usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    }),
    'data: [DONE]\n\n',
  ],
};

async function failAfter(milliseconds: number): Promise<never> {
  await pause(milliseconds);
  throw new GatewayError('provider_timeout', 'nothing came');
}

const ENDPOINTS: Readonly<Record<ChatDialect, string>> = {
  'chat-completions': 'chat-completions',
  responses: 'responses',
  messages: 'messages',
};
const BODIES: Readonly<Record<ChatDialect, object>> = {
  'chat-completions': { messages: [{ role: 'user', content: 'Hello' }], stream_options: { include_usage: true } },
  responses: { input: 'Hello' },
  messages: { max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] },
};
const DIALECTS = Object.keys(BODIES) as ChatDialect[];
/** Every dialect with a provider of each kind first: in its own bytes, and translated. */
const FIRST = DIALECTS.flatMap((dialect) => (Object.keys(OPENING) as ProviderId[]).map((provider) => ({ dialect, provider })));

describe('the next attempt of a stream', () => {
  let scripts: Script[];
  let events: UsageEvent[];
  /** How long each call was to wait for its head. */
  let waited: number[];
  let ask: (dialect: ChatDialect, attempts: readonly Attempt[], decided?: Partial<Passport>) => Promise<Response>;
  let close: () => unknown;

  /** What is known of providers is each test's own. */
  beforeEach(async () => {
    [scripts, waited] = [[], []];
    const memory = createMemoryMetering();
    ({ events } = memory);
    const providers = createProviderDirectory({
      env: (name) => (name.endsWith('_API_KEY') ? 'key' : undefined),
      transport: ({ headersTimeoutMs }) => {
        waited.push(headersTimeoutMs);
        const { frames, isEnded = false, hasHead = true } = scripts.shift() ?? SERVED;
        if (!hasHead) return failAfter(headersTimeoutMs);
        const body = new Readable({ read: () => undefined });
        for (const frame of frames) body.push(frame);
        if (isEnded) body.push(null);
        return Promise.resolve({ status: 200, headers: {}, body });
      },
    });
    const times = { headersTimeoutMs: 5_000, idleTimeoutMs: 5_000, heartbeatMs: 100, now: Date.now };
    const find = (id: string, _credential?: string, accountId?: string) => {
      const provider = providers.find(id);
      return accountId === 'short' && provider !== undefined ? { ...provider, deadlines: { firstContentMs: 150 } } : provider;
    };
    const { handle } = composeChatTranslator({ ...memory.metering, ...times, catalog, providers: { ...providers, find } });
    const worker = await serveWorker('chat-translator', handle);
    ({ close } = worker);
    ask = (dialect, attempts, decided = {}) =>
      worker.ask(makePassport({ endpointId: ENDPOINTS[dialect], stream: true, attempts: [...attempts], ...decided }), {
        ...{ model: 'policy/x', stream: true },
        ...BODIES[dialect],
      });
  });
  afterEach(() => close());

  const at = (provider: string, more: Partial<Attempt> = {}): Attempt => {
    const record = catalog.list('chat').find((each) => each.provider === provider);
    if (record === undefined) throw new Error(`no model of ${provider}`);
    return { ...makeAttempt(record, catalog), ...more };
  };
  const commentsOf = (text: string): string[] => text.split('\n').filter((line) => line.startsWith(': '));
  const withoutComments = (text: string): string =>
    text
      .split('\n\n')
      .filter((frame) => !frame.startsWith(': '))
      .join('\n\n');

  it.each(FIRST)('$dialect: follows a first provider ($provider) that opens its reply and goes silent', async ({ dialect, provider }) => {
    scripts = [{ frames: OPENING[provider] }, SERVED];
    const reply = await ask(dialect, [at(provider, { firstContentMs: 500 }), at('mistral')]);
    const text = await reply.text();
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect([reply.headers.get('x-weir-model'), reply.headers.get('x-weir-attempts')]).toEqual([null, null]);
    expect(text.slice(0, 8)).toBe(': ping\n\n');
    expect(commentsOf(text)).toEqual(
      expect.arrayContaining([': x-weir-provider: mistral', ': x-weir-attempts: 2', `: x-weir-model: ${at('mistral').modelId}`]),
    );
    expect(text).toContain('served');
    expect(text).not.toContain('abandoned');
    expect(() => checkStreamGrammar(dialect, withoutComments(text))).not.toThrow();
    expect(events).toMatchObject([
      { status: 'timeout', logical: false, cost_p: '0' },
      { status: 'ok', logical: true },
    ]);
  });

  it('waits for the head of a stream no longer than for its content, by what its account says where its policy says nothing', async () => {
    for (const attempts of [
      [at('anthropic', { firstContentMs: 120 }), at('mistral')],
      [at('anthropic', { accountId: 'short' }), at('mistral')],
    ]) {
      scripts = [{ frames: [], hasHead: false }, SERVED];
      const reply = await ask('messages', attempts);
      expect([reply.status, reply.headers.get('x-weir-attempts'), (await reply.text()).includes('served')]).toEqual([200, '2', true]);
    }
    expect(waited).toEqual([120, 5_000, 150, 5_000]);
  });

  it.each(DIALECTS)('%s: follows a reply that fails after its opening events, whose head then says who served', async (dialect) => {
    scripts = [{ frames: [...OPENING['openai-responses'], FAILED], isEnded: true }, SERVED];
    const reply = await ask(dialect, [at('openai-responses'), at('mistral')]);
    const text = await reply.text();
    expect([reply.status, reply.headers.get('x-weir-attempts'), reply.headers.get('x-weir-provider')]).toEqual([200, '2', 'mistral']);
    expect([text.includes('served'), text.includes('abandoned')]).toEqual([true, false]);
    expect(events.map(({ status, logical: isLogical }) => [status, isLogical])).toEqual([
      ['upstream_error', false],
      ['ok', true],
    ]);
  });

  it.each(DIALECTS)('%s: ends in the words of its dialect when the head has left and every attempt fails', async (dialect) => {
    scripts = [{ frames: OPENING.anthropic }, { frames: [overloaded()], isEnded: true }];
    const reply = await ask(dialect, [at('anthropic', { firstContentMs: 500 }), at('anthropic')]);
    const text = await reply.text();
    expect(reply.status).toBe(200);
    expect(text).toContain('"code":"');
    expect(withoutComments(text)).toMatch(
      dialect === 'messages' ? /^event: error\n/ : dialect === 'responses' ? /event: response.failed/ : /^data: {"error"/,
    );
    expect(text).not.toContain('abandoned');
    expect(events.map(({ logical: isLogical }) => isLogical)).toEqual([false, true]);
  });

  it.each(FIRST)(
    '$dialect: commits a reply of $provider by its first content, and passes its opening events on',
    async ({ dialect, provider }) => {
      const content: Record<ProviderId, string> = {
        anthropic: sse({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'own' } }),
        openai: chunk({ content: 'own' }),
        'openai-responses': sse({
          type: 'response.output_text.delta',
          sequence_number: 2,
          item_id: 'm',
          output_index: 0,
          content_index: 0,
          delta: 'own',
          logprobs: [],
        }),
      };
      scripts = [{ frames: [...OPENING[provider], content[provider]], isEnded: true }, SERVED];
      const reply = await ask(dialect, [at(provider), at('mistral')]);
      const text = await reply.text();
      expect([reply.headers.get('x-weir-attempts'), reply.headers.get('x-weir-provider')]).toEqual(['1', provider]);
      expect([
        text.includes('own'),
        text.includes('served'),
        text.includes('provider_stream_cut') || text.includes('server_error'),
      ]).toEqual([true, false, true]);
      expect(events).toHaveLength(1);
    },
  );

  it.each(DIALECTS)('%s: reports a reply that opens with an error by its status where a model was named itself', async (dialect) => {
    for (const [type, status] of [
      ['overloaded_error', 503],
      ['rate_limit_error', 429],
    ] as const) {
      scripts = [{ frames: [': warming up\n\n', overloaded(type)], isEnded: true }];
      const reply = await ask(dialect, [at('anthropic')]);
      expect([reply.status, reply.headers.get('x-should-retry'), Number(reply.headers.get('retry-after')) > 0]).toEqual([
        status,
        'true',
        true,
      ]);
      expect(reply.headers.get('content-type')).toContain('json');
    }
    expect(events).toMatchObject([
      { status: 'upstream_error', logical: true, cost_p: '0' },
      { status: 'upstream_error', logical: true, cost_p: '0' },
    ]);
  });

  it.each(DIALECTS)('%s: passes the opening events of the only attempt on at once, with comments before them alone', async (dialect) => {
    scripts = [{ frames: OPENING.anthropic }];
    const reply = await ask(dialect, [at('anthropic', { firstContentMs: 500 })]);
    const text = await reply.text();
    expect(reply.headers.get('x-weir-attempts')).toBe('1');
    expect(withoutComments(text)).toMatch(/^(?:event: .*\n)?data: .*(?:message_start|response.created|"role":"assistant")/);
    expect(text).toMatch(/provider_timeout|server_error/);
    scripts = [{ frames: [] }];
    const silent = await ask(dialect, [at('anthropic', { firstContentMs: 500 })]);
    expect((await silent.text()).startsWith(': ping\n\n')).toBe(true);
  });

  it('charges what an abandoned attempt reported only where the organization wants that', async () => {
    const costs: bigint[] = [];
    for (const chargesFailures of [false, true]) {
      events.length = 0;
      scripts = [{ frames: OPENING.anthropic }, SERVED];
      const reply = await ask('messages', [at('anthropic', { firstContentMs: 100 }), at('mistral')], { chargesFailures });
      const text = await reply.text();
      const [first, second] = events.map(({ cost_p: cost }) => BigInt(cost));
      costs.push(first ?? -1n);
      const total = Number((first ?? 0n) + (second ?? 0n)) / 1e12;
      expect(Number(/"cost":([\d.]+)/.exec(text)?.[1])).toBeCloseTo(total, 12);
    }
    expect([costs[0], (costs[1] ?? 0n) > 0n]).toEqual([0n, true]);
  });
});
