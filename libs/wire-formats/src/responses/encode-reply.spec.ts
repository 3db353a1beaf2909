import type { ChatChoice, ChatReply, ContentBlock, FinishReason, Usage } from '@weir/canonical';
import type { ReplyContext } from '../dialect/wire-format';
import { responsesFormat } from '.';

// prettier-ignore
const USAGE: Usage = {
  inputUncached: 10, cacheRead: 20, cacheWrite5m: 3, cacheWrite1h: 4, output: 50, reasoning: 30, audioInput: 0, audioOutput: 0, searches: 1, source: 'provider',
};

type Shape = { output: Record<string, unknown>[] } & Record<string, unknown>;

function encode(content: readonly ContentBlock[], finish: Partial<FinishReason> = {}, body: Record<string, unknown> = {}): Shape {
  return encodeChoice({ content }, finish, body);
}

function encodeChoice(
  said: Pick<ChatChoice, 'content' | 'logprobs'>,
  finish: Partial<FinishReason> = {},
  body: Record<string, unknown> = {},
): Shape {
  const context: ReplyContext = {
    requestId: 'req_a-1',
    modelId: 'v/m',
    asked: { model: 'm', turns: [], stream: false },
    body,
    nowMs: 9000,
  };
  const choice = { index: 0, ...said, finish: { unified: 'stop', upstream: null, ...finish } as FinishReason };
  const reply: ChatReply = { id: 'x', model: 'up', createdAtSeconds: 5, choices: [choice], usage: USAGE };
  return JSON.parse(responsesFormat.encodeReply(reply, { usage: USAGE, costUsd: '0.25' }, context)) as Shape;
}

it('writes the log probabilities of tokens in the part they belong to', () => {
  const hi = { token: 'hi', logprob: -0.1, bytes: [104, 105], top_logprobs: [] };
  const { output } = encodeChoice({
    content: [
      { type: 'reasoning', text: 'so' },
      { type: 'text', text: 'hi' },
    ],
    logprobs: { content: [hi], refusal: null },
  });

  expect(output[1]).toMatchObject({ content: [{ text: 'hi', logprobs: [hi] }] });
});

it('has every key the schema of the object requires, numbers where it wants numbers', () => {
  expect(encode([{ type: 'text', text: 'hi' }], {}, { tools: [{ type: 'function', name: 'f' }], text: { verbosity: 'low' } })).toEqual({
    id: 'resp_a1',
    object: 'response',
    created_at: 5,
    completed_at: 9,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: 'up',
    output: [
      {
        id: 'msg_a10',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'hi', annotations: [], logprobs: [] }],
      },
    ],
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    top_logprobs: 0,
    text: { format: { type: 'text' }, verbosity: 'low' },
    tool_choice: 'auto',
    tools: [{ type: 'function', name: 'f', description: null, parameters: null, strict: null }],
    truncation: 'disabled',
    service_tier: 'default',
    metadata: {},
    background: false,
    user: null,
    safety_identifier: null,
    prompt_cache_key: null,
    usage: {
      input_tokens: 37,
      input_tokens_details: { cached_tokens: 20, cache_write_tokens: 7 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 30 },
      total_tokens: 87,
      cost: 0.25,
    },
  });
});

it('writes reasoning, searches, calls and text as items in their order', () => {
  const state = { family: 'converse', kind: 'signature', value: 's' } as const;
  const body = { include: ['web_search_call.action.sources'] };
  const { output } = encode(
    [
      { type: 'reasoning', text: 'sum', isSummary: true, state },
      { type: 'reasoning', text: 'raw' },
      { type: 'web-search', id: 'w', query: 'q', results: [{ url: 'https://x.org', title: 'X' }] },
      { type: 'text', text: 'abc', citations: [{ url: 'https://x.org', start: 0, end: 2 }] },
      { type: 'refusal', text: 'no' },
      { type: 'tool-call', id: 'c1', name: 'f', kind: 'function', argumentsText: '{ }', state },
      { type: 'tool-call', id: 'c2', name: 'g', kind: 'custom', argumentsText: 'free' },
    ],
    { unified: 'tool-calls' },
    body,
  );
  expect(output).toEqual([
    { id: 'rs_a10', type: 'reasoning', summary: [{ type: 'summary_text', text: 'sum' }], encrypted_content: 'gw1:converse:signature:cw' },
    { id: 'rs_a11', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'raw' }] },
    {
      id: 'ws_a12',
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'search', query: 'q', sources: [{ type: 'url', url: 'https://x.org' }] },
    },
    {
      id: 'msg_a13',
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [
        {
          type: 'output_text',
          text: 'abc',
          annotations: [{ type: 'url_citation', url: 'https://x.org', title: '', start_index: 0, end_index: 2 }],
          logprobs: [],
        },
        { type: 'refusal', refusal: 'no' },
      ],
    },
    { id: 'rs_a14', type: 'reasoning', summary: [], encrypted_content: 'gw1:converse:signature:cw:YzE' },
    { id: 'fc_a15', type: 'function_call', status: 'completed', call_id: 'c1', name: 'f', arguments: '{ }' },
    { id: 'ctc_a16', type: 'custom_tool_call', status: 'completed', call_id: 'c2', name: 'g', input: 'free' },
  ]);
});

it.each([
  ['stop', 'completed', null],
  ['stop-sequence', 'completed', null],
  ['tool-calls', 'completed', null],
  ['pause', 'completed', null],
  ['length', 'incomplete', { reason: 'max_output_tokens' }],
  ['context-full', 'incomplete', { reason: 'max_output_tokens' }],
  ['content-filter', 'incomplete', { reason: 'content_filter' }],
  ['error', 'failed', null],
] as const)('calls %s %s', (unified, status, details) => {
  const response = encode([{ type: 'text', text: 'a' }], { unified });
  expect(response).toMatchObject({ status, incomplete_details: details });
  expect(response.output[0]).toMatchObject({ status: status === 'completed' ? 'completed' : 'incomplete' });
  expect(response['error'] === null).toBe(status !== 'failed');
});

it('says why a provider filtered the reply', () => {
  const { output } = encode([], { unified: 'content-filter', explanation: 'because' });
  expect(output[0]).toMatchObject({ type: 'message', status: 'incomplete', content: [{ type: 'refusal', refusal: 'because' }] });
});
