import type { ChatDialect } from '@weir/contracts';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { makeAttempt, type ReplyScript } from '@weir/testing';
import { openReplayHarness, type Replayed, type ReplayHarness } from './replay-harness';

const catalog = createBuiltInCatalog();
let harness: ReplayHarness;

beforeAll(async () => {
  harness = await openReplayHarness(catalog);
});
afterAll(() => harness.close());

const MODELS = { chat: 'openai/gpt-4o', messages: 'anthropic/claude-sonnet-4-5', responses: 'openai-responses/gpt-5' } as const;

type FailingRequest = {
  readonly dialect: ChatDialect;
  readonly model: string;
  readonly isStream?: boolean;
  readonly more?: object;
  readonly chargesFailures?: boolean;
};

function ask(
  { dialect, model, isStream = true, more = {}, chargesFailures = false }: FailingRequest,
  script: ReplyScript,
): Promise<Replayed> {
  const record = catalog.find(model);
  if (record === undefined) throw new Error(`the catalogue has no ${model}`);
  const messages = [{ role: 'user', content: 'hi' }];
  const said = dialect === 'responses' ? { input: 'hi' } : { messages };
  const body = { model, ...said, ...(dialect === 'messages' ? { max_tokens: 9 } : {}), ...(isStream ? { stream: true } : {}), ...more };
  return harness.replay({ dialect, attempt: makeAttempt(record, catalog), isStream, body, chargesFailures }, script);
}

const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const START = {
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'c', content: [], usage: { input_tokens: 7, output_tokens: 1 } },
};
const OVERLOADED = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

const failedResponse = (code: string) => ({
  type: 'response.failed',
  response: { id: 'r', status: 'failed', error: { code, message: 'm' } },
});

describe('a provider that fails in its stream', () => {
  it.each([MODELS.messages, 'vertex/anthropic/claude-sonnet-4-5'])('%s: the error keeps its own type in its own dialect', async (model) => {
    const { received, events } = await ask({ dialect: 'messages', model }, { stream: [event(START), event(OVERLOADED)] });

    expect(received.body).toContain('"type":"overloaded_error","message":"Overloaded"');
    expect(events).toMatchObject([{ status: 'upstream_error', error_code: 'provider_overloaded' }]);
    expect(Object.values(events[0]?.units ?? {}).map(Number)).toContain(7);
  });

  it.each<[ChatDialect, string]>([
    ['chat-completions', MODELS.chat],
    ['messages', MODELS.messages],
    ['responses', MODELS.responses],
    ['messages', MODELS.chat],
    ['chat-completions', MODELS.messages],
  ])('%s from %s: a failure in one piece instead of a stream is passed on, and costs nothing', async (dialect, model) => {
    const failure = { error: { message: 'Slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' } };
    const { received, events } = await ask({ dialect, model }, { headers: { 'content-type': 'application/json' }, body: failure });

    expect(received.body).toContain('Slow down');
    expect(received.body).not.toContain('\n{');
    expect(events).toMatchObject([{ error_code: 'provider_rate_limited', cost_p: '0' }]);
  });

  it('is reported as unreadable when it sends a whole reply where a stream was asked for', async () => {
    const whole = { id: 'c', choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }] };
    const { received } = await ask({ dialect: 'chat-completions', model: MODELS.chat }, { body: whole });

    expect(received.body).toContain('"code":"provider_unreadable"');
    expect(received.body).not.toContain('[DONE]');
  });

  it('is not charged for a stream of comments only', async () => {
    const failure = 'data: {"error":{"message":"m","code":429},"choices":[]}\n\n';
    const { events } = await ask({ dialect: 'chat-completions', model: MODELS.chat }, { stream: [': PROCESSING\n\n', failure] });
    expect(events).toMatchObject([{ error_code: 'provider_rate_limited', cost_p: '0' }]);
  });

  it('is charged for the text before it broke off, with every kind of line end', async () => {
    const chunk = 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}';
    const costs = [];
    for (const end of ['\n\n', '\r\n\r\n']) {
      const { events } = await ask({ dialect: 'chat-completions', model: MODELS.chat }, { stream: [`${chunk}${end}`, `${chunk}${end}`] });
      expect(events).toMatchObject([{ status: 'upstream_cut' }]);
      costs.push(events[0]?.cost_p);
    }
    expect(costs[1]).toBe(costs[0]);
    expect(Number(costs[0])).toBeGreaterThan(0);
  });

  it.each<[number, readonly [number, string | null][]]>([
    [
      2,
      [
        [0, 'stop'],
        [1, null],
      ],
    ],
    [
      2,
      [
        [0, 'stop'],
        [0, 'stop'],
      ],
    ],
    [
      0,
      [
        [0, null],
        [0, null],
      ],
    ],
  ])('counts as cut where not all choices that were asked for have ended: n %i, %j', async (n, reasons) => {
    const stream = reasons.map(
      ([index, reason]) => `data: ${JSON.stringify({ id: 'c', choices: [{ index, delta: {}, finish_reason: reason }] })}\n\n`,
    );
    const { received, events } = await ask({ dialect: 'chat-completions', model: MODELS.chat, more: { n } }, { stream });

    expect(events).toMatchObject([{ status: 'upstream_cut' }]);
    expect(received.body).not.toContain('[DONE]');
  });

  it('passes a failed response on in its own words, and records it as failed', async () => {
    const failed = failedResponse('context_length_exceeded');
    const { received, events } = await ask({ dialect: 'responses', model: MODELS.responses }, { stream: [event(failed)] });

    expect(received.body).toBe(event(failed));
    expect(events).toMatchObject([{ status: 'upstream_error', error_code: 'provider_context_exceeded' }]);
  });

  it.each<[ChatDialect, string]>([
    ['chat-completions', "This model's maximum context length is 20 tokens. However, your messages resulted in 31 tokens."],
    ['responses', '"error":{"code":"context_length_exceeded","message":"This model\'s maximum context length is 20 tokens.'],
    ['messages', '"message":"prompt is too long: 31 tokens > 20 maximum'],
  ])('%s: what a provider of another dialect finds too long is too long in the words of this one', async (dialect, expected) => {
    const ofMessages = [
      event(START),
      event({ type: 'error', error: { message: 'prompt is too long: 31 tokens > 20 maximum' } } as { type: string }),
    ];
    const message = "This model's maximum context length is 20 tokens. However, your messages resulted in 31 tokens.";
    const isMessages = dialect === 'messages';
    const stream = isMessages ? [`data: ${JSON.stringify({ error: { message } })}\n\n`] : ofMessages;
    const { received, events } = await ask({ dialect, model: isMessages ? MODELS.chat : MODELS.messages }, { stream });

    expect(received.body).toContain(expected);
    expect(events).toMatchObject([{ error_code: 'provider_context_exceeded' }]);
  });

  it.each<[ChatDialect, string, (code: string) => string]>([
    ['responses', MODELS.responses, (code) => event(failedResponse(code))],
    ['chat-completions', MODELS.chat, (code) => `data: ${JSON.stringify({ error: { code, message: 'm' } })}\n\n`],
    ['messages', MODELS.messages, (code) => event({ type: 'error', error: { type: code, message: 'm' } } as { type: string })],
  ])(
    '%s from %s: is left out for a while once it failed again and again, and not for what its callers sent',
    async (dialect, model, fail) => {
      const provider = model.slice(0, model.indexOf('/'));
      const failFiveTimes = async (code: string): Promise<string[]> => {
        for (let times = 0; times < 5; times += 1) await ask({ dialect, model }, { stream: [fail(code)] });
        return harness.health.ejected().filter((route) => route.startsWith(`${provider} `));
      };

      expect(await failFiveTimes('content_policy_violation')).toEqual([]);
      expect(await failFiveTimes('server_error')).toHaveLength(1);
    },
  );
});

describe('a provider that fails with the status of a success', () => {
  it.each<[ChatDialect, string, object, number]>([
    ['chat-completions', MODELS.chat, { error: { message: 'Slow down', code: 429 } }, 429],
    ['messages', MODELS.messages, OVERLOADED, 503],
    [
      'responses',
      MODELS.responses,
      { id: 'r', status: 'failed', error: { code: 'server_error', message: 'm' }, output: [], usage: null },
      502,
    ],
    ['messages', MODELS.chat, { error: { message: 'Slow down', code: 429 } }, 429],
  ])('%s from %s is a failure that costs nothing', async (dialect, model, body, status) => {
    const { received, events } = await ask({ dialect, model, isStream: false }, { body });

    expect(received.status).toBe(status);
    expect(events).toMatchObject([{ status: 'upstream_error', cost_p: '0' }]);
  });

  it.each<[string, object]>([
    [
      'google/gemini-2.5-flash',
      {
        candidates: [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }],
        usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 1, thoughtsTokenCount: 4 },
      },
    ],
    [MODELS.chat, { choices: [{ message: {}, error: { message: 'm', code: 502 } }], usage: { prompt_tokens: 30, completion_tokens: 5 } }],
  ])('%s reported usage with it: that is kept, and charged to an organization that pays for failures', async (model, body) => {
    const request: FailingRequest = { dialect: 'messages', model, isStream: false };
    const free = (await ask(request, { body })).events[0];
    const paid = (await ask({ ...request, chargesFailures: true }, { body })).events[0];

    expect(free).toMatchObject({ status: 'upstream_error', cost_p: '0' });
    expect(free?.uncharged).toMatchObject({ units: { in: 30, out: 5 }, cost_p: paid?.cost_p });
    expect(paid).toMatchObject({ status: 'upstream_error', units: { in: 30, out: 5 }, unit_source: 'provider' });
    expect(Number(paid?.cost_p)).toBeGreaterThan(0);
  });

  it('has its reported usage bounded as any other', async () => {
    const body = { choices: [{ error: { message: 'm', code: 502 } }], usage: { prompt_tokens: 10 ** 9, completion_tokens: 10 ** 9 } };
    const { events } = await ask({ dialect: 'messages', model: MODELS.chat, isStream: false, chargesFailures: true }, { body });

    expect(events).toMatchObject([{ unit_source: 'estimate', doubted: { in: 10 ** 9, out: 10 ** 9 } }]);
  });

  it('reports the usage of a stream that broke off', async () => {
    const chunk = {
      candidates: [{ content: { parts: [{ text: 'hi' }] } }],
      usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 5 },
    };
    const { events } = await ask(
      { dialect: 'messages', model: 'google/gemini-2.5-flash' },
      { stream: [`data: ${JSON.stringify(chunk)}\n\n`] },
    );

    expect(events).toMatchObject([{ status: 'upstream_cut', units: { in: 30, out: 5 } }]);
  });

  it.each<[ChatDialect, string, readonly object[]]>([
    ['messages', 'a failure', [{ error: { message: 'm', code: 502 } }]],
    ['messages', 'no choice', [{ choices: [] }]],
    ['chat-completions', 'a failure', [{ error: { message: 'm', code: 502 } }]],
  ])('%s, in a stream that begins with %s: it costs no more than one in one piece', async (dialect, _, chunks) => {
    const usage = { prompt_tokens: 30, completion_tokens: 5 };
    const script = { stream: [...chunks.map((chunk) => `data: ${JSON.stringify({ ...chunk, usage })}\n\n`), 'data: [DONE]\n\n'] };
    const free = (await ask({ dialect, model: MODELS.chat }, script)).events[0];
    const paid = (await ask({ dialect, model: MODELS.chat, chargesFailures: true }, script)).events[0];

    expect(free).toMatchObject({ status: 'upstream_error', logical: true, cost_p: '0', uncharged: { units: { in: 30, out: 5 } } });
    expect(paid).toMatchObject({ status: 'upstream_error', units: { in: 30, out: 5 }, cost_p: free?.uncharged?.cost_p });
  });

  it.each<[ChatDialect, string]>([
    ['messages', 'openai/gpt-4o'],
    ['chat-completions', 'openai/gpt-4o'],
    ['messages', 'anthropic/claude-sonnet-4-5'],
    ['chat-completions', 'google/gemini-2.5-flash'],
  ])('%s from %s, in one piece where a stream was asked for: it costs no more than one where none was', async (dialect, model) => {
    const usage = { prompt_tokens: 30, completion_tokens: 5, input_tokens: 30, output_tokens: 5 };
    const usageMetadata = { promptTokenCount: 30, candidatesTokenCount: 5 };
    const script = { body: { error: { message: 'm', code: 502 }, usage, usageMetadata } };
    const free = (await ask({ dialect, model }, script)).events[0];
    const paid = (await ask({ dialect, model, chargesFailures: true }, script)).events[0];

    expect(free).toMatchObject({ status: 'upstream_error', cost_p: '0', uncharged: { units: { in: 30, out: 5 } } });
    expect(paid).toMatchObject({ status: 'upstream_error', units: { in: 30, out: 5 }, cost_p: free?.uncharged?.cost_p });
  });

  it.each<[ChatDialect]>([['messages'], ['chat-completions']])(
    '%s, in a stream with a usage of 0 that breaks off: the output that arrived is charged',
    async (dialect) => {
      const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
      const chunk = { id: 'c', choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: null }] };
      const costs = [];
      for (const reported of [chunk, { ...chunk, usage }]) {
        const { events } = await ask({ dialect, model: MODELS.chat }, { stream: [`data: ${JSON.stringify(reported)}\n\n`] });
        expect(events).toMatchObject([{ status: 'upstream_cut', unit_source: 'estimate' }]);
        costs.push(events[0]?.cost_p);
      }
      expect(Number(costs[0])).toBeGreaterThan(0);
      expect(costs[1]).toBe(costs[0]);
    },
  );
});

it('keeps integers of 64 bits on the way through other dialects', async () => {
  const long = '9223372036854775807';
  const called = `{"id":"msg_1","type":"message","role":"assistant","model":"c","stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1},"content":[{"type":"tool_use","id":"t","name":"f","input":{"id":${long}}}]}`;
  const { received } = await ask({ dialect: 'chat-completions', model: MODELS.messages, isStream: false }, { body: called });

  expect(received.body).toContain(`"arguments":"{\\"id\\":${long}}"`);
});
