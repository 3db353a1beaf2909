import type { ChatReply, ContentBlock, FinishReason, Usage } from '@weir/canonical';
import type { ReplyContext } from '../dialect/wire-format';
import { messagesFormat } from '.';

// prettier-ignore
const USAGE: Usage = {
  inputUncached: 10, cacheRead: 20, cacheWrite5m: 3, cacheWrite1h: 4, output: 50, reasoning: 30, audioInput: 0, audioOutput: 0, searches: 2, source: 'provider',
};

type Shape = { content: Record<string, unknown>[] } & Record<string, unknown>;

function encode(content: readonly ContentBlock[], finish: Partial<FinishReason> = {}): Shape & { text: string } {
  const context: ReplyContext = {
    requestId: 'req_a-1',
    modelId: 'v/m',
    asked: { model: 'm', turns: [], stream: false },
    body: {},
    nowMs: 9000,
  };
  const choice = { index: 0, content, finish: { unified: 'stop', upstream: null, ...finish } as FinishReason };
  const reply: ChatReply = { id: 'msg_own', model: '', createdAtSeconds: 5, choices: [choice], usage: USAGE };
  const text = messagesFormat.encodeReply(reply, { usage: USAGE, costUsd: '0.000000000001' }, context);
  return { ...(JSON.parse(text) as Shape), text };
}

it('has the exact shape: input tokens without the cache, no citations key where there are none', () => {
  const { text, ...reply } = encode([{ type: 'text', text: 'hi' }]);
  expect(reply).toEqual({
    id: 'msg_own',
    type: 'message',
    role: 'assistant',
    model: 'v/m',
    content: [{ type: 'text', text: 'hi' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 7,
      cache_read_input_tokens: 20,
      cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 },
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 30 },
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
      service_tier: 'standard',
      cost: 1e-12,
    },
  });
  expect(text).toContain('"cost":0.000000000001}');
});

it('keeps the digits of tool arguments, and what was cut off', () => {
  const call = { type: 'tool-call', id: 'c', name: 'f', kind: 'function' } as const;
  expect(encode([{ ...call, argumentsText: '{"n":12345678901234567890}' }]).text).toContain('"input":{"n":12345678901234567890}');
  expect(encode([{ ...call, argumentsText: '' }]).content[0]).toEqual({ type: 'tool_use', id: 'c', name: 'f', input: {} });
  expect(encode([{ ...call, argumentsText: '{"n":1' }]).content[0]).toMatchObject({ input: { _raw: '{"n":1' } });
  expect(encode([{ ...call, kind: 'custom', argumentsText: 'free' }]).content[0]).toMatchObject({ input: { input: 'free' } });
});

it('writes thinking with its signature and hides what is redacted', () => {
  const native = { family: 'messages', value: 's' } as const;
  const { content } = encode([
    { type: 'reasoning', text: 't', state: { ...native, kind: 'signature' } },
    { type: 'reasoning', text: '', state: { ...native, kind: 'redacted' } },
    { type: 'reasoning', text: 'u', state: { family: 'other', kind: 'encrypted', value: 's' } },
    { type: 'reasoning', text: '' },
  ]);
  expect(content).toEqual([
    { type: 'thinking', thinking: 't', signature: 's' },
    { type: 'redacted_thinking', data: 's' },
    { type: 'thinking', thinking: 'u', signature: 'gw1:other:encrypted:cw' },
  ]);
});

it('writes a search as its two blocks, and citations in the dialect’s words', () => {
  const raw = { type: 'char_location', cited_text: 'x' };
  const { content } = encode([
    { type: 'web-search', id: 'ws_1', query: 'q', results: [{ url: 'u', title: 't', age: 'old' }] },
    { type: 'web-search', id: 'srvtoolu_2', query: 'q', results: [], errorCode: 'max_uses_exceeded' },
    {
      type: 'text',
      text: 'abcdef',
      citations: [{ url: 'u', title: 'T', start: 1, end: 3 }, { original: { family: 'messages', raw } }, { title: 'no address' }],
    },
  ]);
  expect(content).toEqual([
    { type: 'server_tool_use', id: 'srvtoolu_ws_1', name: 'web_search', input: { query: 'q' } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_ws_1',
      content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: '', page_age: 'old' }],
    },
    { type: 'server_tool_use', id: 'srvtoolu_2', name: 'web_search', input: { query: 'q' } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_2',
      content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
    },
    {
      type: 'text',
      text: 'abcdef',
      citations: [{ type: 'web_search_result_location', url: 'u', title: 'T', encrypted_index: '', cited_text: 'bc' }, raw],
    },
  ]);
});

it.each([
  ['stop', 'end_turn'],
  ['stop-sequence', 'stop_sequence'],
  ['length', 'max_tokens'],
  ['context-full', 'model_context_window_exceeded'],
  ['tool-calls', 'tool_use'],
  ['content-filter', 'refusal'],
  ['pause', 'pause_turn'],
  ['error', 'end_turn'],
] as const)('calls %s %s', (unified, word) => {
  expect(encode([], { unified })).toMatchObject({ stop_reason: word });
});

it('writes refusals and stop sequences', () => {
  expect(encode([], { unified: 'content-filter', explanation: 'because' })['stop_details']).toEqual({
    type: 'refusal',
    category: null,
    explanation: 'because',
  });
  expect(encode([{ type: 'refusal', text: 'no' }])).toMatchObject({ stop_reason: 'refusal', content: [{ type: 'text', text: 'no' }] });
  expect(encode([], { unified: 'stop-sequence', stopSequence: 'END' })).toMatchObject({ stop_sequence: 'END' });
});
