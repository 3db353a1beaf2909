import { NO_USAGE, type ChatEvent, type ChatReply } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import type { ReplyContext } from '../dialect/wire-format';
import { completionsFormat, translateCompletionsBody } from './index';

const translate = (json: Record<string, unknown>) => translateCompletionsBody({ text: JSON.stringify(json), json });
const PRICED = { usage: { ...NO_USAGE, inputUncached: 3, output: 2 }, costUsd: '0.00000123' };

function contextOf(body: Record<string, unknown>, dropped = new Set<string>()): ReplyContext {
  const asked = { model: 'm', turns: [], stream: true };
  return { requestId: 'req_5', modelId: 'm', asked, body, nowMs: 1_790_000_000_000, noteDropped: (what) => void dropped.add(what) };
}

describe('a body of completions', () => {
  it('becomes one of chat completions, its prompt the message of a user', () => {
    const { text, json } = translate({ model: 'm', prompt: 'Hi', echo: false, suffix: null, best_of: 1, temperature: 0.5, x: 1 });
    expect(json).toEqual({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 16, temperature: 0.5, x: 1 });
    expect(JSON.parse(text)).toEqual(json);
    expect(completionsFormat.decodeRequest(json)).toMatchObject({ maxOutputTokens: 16, unmapped: { x: 1 } });
  });

  it('keeps the limit that it has, and long integers as they are written', () => {
    expect(translate({ prompt: ['Hi'], max_tokens: 5 }).json).toMatchObject({ max_tokens: 5, messages: [{ content: 'Hi' }] });
    const text = '{"prompt":"Hi","seed":9007199254740993}';
    expect(translateCompletionsBody({ text, json: { prompt: 'Hi', seed: 1 } }).text).toContain('9007199254740993');
  });

  it.each<[object, string]>([
    [{ suffix: 'x' }, 'suffix'],
    [{ echo: true }, 'echo'],
    [{ logprobs: 0 }, 'logprobs'],
    [{ best_of: 3 }, 'best_of'],
    [{ prompt: [] }, 'prompt'],
    [{ prompt: [7] }, 'prompt'],
    [{ prompt: [[7]] }, 'prompt'],
    [{ prompt: ['a', 'b'] }, 'prompt'],
    [{ prompt: 7 }, 'prompt'],
    [{ prompt: undefined }, 'prompt'],
    [{ tools: [] }, 'tools'],
  ])('is refused with %j, naming %s', (more, field) => {
    const refusal = expect(() => translate({ prompt: 'Hi', ...more }));
    refusal.toThrow(GatewayError);
    refusal.toThrow(new RegExp(`^${field} `));
  });
});

describe('a reply of completions', () => {
  const finish = { unified: 'stop-sequence', upstream: null } as const;
  const call = { type: 'tool-call', id: 'c', name: 'f', argumentsText: '{}', kind: 'function' } as const;

  it('holds the text alone, and notes what it has no word for', () => {
    const content = [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'a' }, { type: 'text', text: 'b' }, call] as const;
    const reply: ChatReply = { id: 'x', model: 'm', createdAtSeconds: 1, choices: [{ index: 0, content, finish }], usage: PRICED.usage };
    const dropped = new Set<string>();
    const text = completionsFormat.encodeReply(reply, PRICED, contextOf({}, dropped));
    expect(JSON.parse(text)).toMatchObject({
      ...{ id: 'cmpl-5', object: 'text_completion', created: 1, model: 'm' },
      choices: [{ text: 'ab', index: 0, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    });
    expect(text).toContain('"cost":0.00000123');
    expect([...dropped].sort()).toEqual(['reply.reasoning_content', 'reply.tool_calls']);
  });

  it('streams the text in chunks, and fails in the words of the dialect', () => {
    const at = { choice: 0, block: 0 };
    const start: ChatEvent = { type: 'start', id: 'x', model: 'm', createdAtSeconds: 1 };
    const events: ChatEvent[] = [
      ...([start, { type: 'text-start', ...at }, { type: 'text-delta', ...at, text: 'a' }, { type: 'text-end', ...at }] as ChatEvent[]),
      ...([{ type: 'finish', choice: 0, finish }, { type: 'usage', usage: PRICED.usage }, { type: 'end' }] as ChatEvent[]),
    ];
    const encoder = completionsFormat.createStreamEncoder(contextOf({ stream_options: { include_usage: true } }));
    const sse = events.map((event) => encoder.encode(event, PRICED)).join('');
    const chunks = sse
      .split('\n\n')
      .filter((data) => data.startsWith('data: {'))
      .map((data) => JSON.parse(data.slice(6)) as object);
    const head = { id: 'cmpl-5', object: 'text_completion', created: 1, model: 'm' };
    expect(chunks).toMatchObject([
      { ...head, choices: [{ text: 'a', index: 0, logprobs: null, finish_reason: null }] },
      { ...head, choices: [{ text: '', index: 0, logprobs: null, finish_reason: 'stop' }] },
      { ...head, choices: [], usage: { total_tokens: 5 } },
    ]);
    expect(sse.endsWith('data: [DONE]\n\n')).toBe(true);

    const failing = completionsFormat.createStreamEncoder(contextOf({}));
    const broken =
      failing.encode(start) + failing.fail(new GatewayError('provider_stream_cut', 'cut off')) + failing.encode({ type: 'end' });
    expect(broken).toMatch(/^data: \{"error":\{.*"code":"provider_stream_cut".*\}\n\n$/);
  });
});
