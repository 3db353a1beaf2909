import type { ChatEvent } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { checkStreamGrammar } from '@weir/testing';
import { createResponsesStreamEncoder } from './encode-stream';

const at = { choice: 0, block: 1 };
const BEFORE: ChatEvent[] = [
  { type: 'start', id: 'resp_1', model: 'm', createdAtSeconds: 1 },
  { type: 'reasoning-start', choice: 0, block: 0, isSummary: true },
  { type: 'reasoning-delta', choice: 0, block: 0, text: 'hm' },
  { type: 'reasoning-end', choice: 0, block: 0 },
];

/** The output of the last event when a reply breaks off after `events`. */
function failAfter(events: readonly ChatEvent[]): { output: unknown[]; stream: string } {
  const encoder = createResponsesStreamEncoder({
    requestId: 'req',
    modelId: 'v/m',
    asked: { model: 'm', turns: [], stream: true },
    body: {},
    nowMs: 0,
  });
  const said = [...BEFORE, ...events].map((event) => encoder.encode(event)).join('');
  const stream = said + encoder.fail(new GatewayError('provider_stream_cut', 'It was cut.'));
  expect(checkStreamGrammar('responses', stream)).toEqual([]);
  const last = JSON.parse(stream.trimEnd().split('\ndata: ').at(-1) ?? '') as { response: { status: string; output: unknown[] } };
  expect(last.response.status).toBe('failed');
  return { output: last.response.output, stream };
}

const THOUGHT = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] };

it('lists the finished items', () => {
  expect(failAfter([]).output).toMatchObject([THOUGHT]);
});

it.each<[string, ChatEvent[], unknown]>([
  [
    'a text',
    [
      { type: 'text-start', ...at },
      { type: 'text-delta', ...at, text: 'half a ' },
      { type: 'text-delta', ...at, text: 'sentence' },
    ],
    { type: 'message', status: 'incomplete', content: [{ type: 'output_text', text: 'half a sentence', annotations: [] }] },
  ],
  [
    'a call',
    [
      { type: 'tool-call-start', ...at, id: 'call_1', name: 'f', kind: 'function' },
      { type: 'tool-call-delta', ...at, argumentsText: '{"a":' },
    ],
    { type: 'function_call', status: 'incomplete', call_id: 'call_1', name: 'f', arguments: '{"a":' },
  ],
  [
    'a thought',
    [
      { type: 'reasoning-start', ...at },
      { type: 'reasoning-delta', ...at, text: 'and then' },
    ],
    { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'and then' }] },
  ],
  ['a search', [{ type: 'web-search-start', ...at, id: 'ws', query: 'q' }], { type: 'web_search_call', status: 'failed' }],
])('writes %s as far as it got, and nowhere as done', (_what, events, item) => {
  const { output, stream } = failAfter(events);

  expect(output).toMatchObject([THOUGHT, item]);
  expect(stream.match(/"type":"response\.output_item\.done"/g)).toHaveLength(1);
  expect(stream).not.toContain('arguments.done');
});
