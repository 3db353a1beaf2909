import type { ChatReply, ContentBlock, FinishReason } from '@weir/canonical';
import type { PricedUsage, ReplyContext } from '../dialect/wire-format';
import { chatCompletionsFormat } from '.';

// prettier-ignore
const PRICED: PricedUsage = {
  usage: {
    inputUncached: 10, cacheRead: 20, cacheWrite5m: 3, cacheWrite1h: 4, output: 50, reasoning: 30, audioInput: 1, audioOutput: 2, searches: 0, source: 'provider',
  },
  costUsd: '0.000000100000000000000001',
};

function encode(content: readonly ContentBlock[], unified: FinishReason['unified'] = 'stop', body: Record<string, unknown> = {}) {
  const context: ReplyContext = { requestId: 'req_1', modelId: 'v/m', asked: { model: 'm', turns: [], stream: false }, body, nowMs: 5000 };
  const reply: ChatReply = {
    id: '',
    model: '',
    createdAtSeconds: 0,
    choices: [{ index: 0, content, finish: { unified, upstream: null } }],
    usage: null,
  };
  const text = chatCompletionsFormat.encodeReply(reply, PRICED, context);
  const parsed = JSON.parse(text) as { choices: { message: Record<string, unknown>; finish_reason: string }[] };
  return { text, parsed, message: parsed.choices[0]?.message, finish: parsed.choices[0]?.finish_reason };
}

it('has the exact shape, with usage in the dialect’s arithmetic and the cost digit for digit', () => {
  const { text, parsed } = encode([{ type: 'text', text: 'hi' }]);
  expect(parsed).toEqual({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 5,
    model: 'v/m',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi', refusal: null }, logprobs: null, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: 37,
      completion_tokens: 50,
      total_tokens: 87,
      prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 7, caching_tokens: 7, audio_tokens: 1 },
      completion_tokens_details: { reasoning_tokens: 30, audio_tokens: 2, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
      cost: Number(PRICED.costUsd),
    },
  });
  expect(text.endsWith(`"cost":${PRICED.costUsd}}}`)).toBe(true);
});

it('places citations in the joined text', () => {
  const url = 'https://x.org';
  const { message } = encode([
    { type: 'text', text: 'abc' },
    { type: 'text', text: 'defg', citations: [{ url, title: 'T' }, { url, start: 1, end: 2 }, { citedText: 'no address' }] },
  ]);
  expect(message?.['annotations']).toEqual([
    { type: 'url_citation', url_citation: { url, title: 'T', start_index: 3, end_index: 7 } },
    { type: 'url_citation', url_citation: { url, title: '', start_index: 4, end_index: 5 } },
  ]);
});

it('says null for words only when there are calls or a refusal instead', () => {
  const call = { type: 'tool-call', id: 'c', name: 'f', kind: 'function', argumentsText: '{"a": 1.0}' } as const;
  expect(encode([call], 'tool-calls').message).toMatchObject({
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a": 1.0}' } }],
  });
  expect(encode([{ type: 'refusal', text: 'no' }]).message).toMatchObject({ content: null, refusal: 'no' });
  expect(encode([]).message).toMatchObject({ content: '', refusal: null });
});

it('writes replies to callers of `functions` in the older form', () => {
  const call = { type: 'tool-call', id: 'c', name: 'f', kind: 'function', argumentsText: '{}' } as const;
  const { message, finish } = encode([call], 'tool-calls', { functions: [] });
  expect(message).toMatchObject({ content: null, function_call: { name: 'f', arguments: '{}' } });
  expect(message).not.toHaveProperty('tool_calls');
  expect(finish).toBe('function_call');
});

it.each([
  ['stop', 'stop'],
  ['stop-sequence', 'stop'],
  ['length', 'length'],
  ['context-full', 'length'],
  ['tool-calls', 'tool_calls'],
  ['content-filter', 'content_filter'],
  ['pause', 'stop'],
  ['error', 'stop'],
] as const)('calls %s %s', (unified, word) => {
  expect(encode([], unified).finish).toBe(word);
});

it('refuses to print a cost that is no number', () => {
  const context: ReplyContext = { requestId: 'r', modelId: 'm', asked: { model: 'm', turns: [], stream: false }, body: {}, nowMs: 0 };
  const reply: ChatReply = { id: '', model: '', createdAtSeconds: 0, choices: [], usage: null };
  expect(() => chatCompletionsFormat.encodeReply(reply, { ...PRICED, costUsd: '1,5' }, context)).toThrow('decimal');
});
