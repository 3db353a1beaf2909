import { createLossReport, type ChatRequest, type ContentBlock } from '@weir/canonical';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import { encodeRequest } from './encode-request';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const THOUGHT: ContentBlock = { type: 'reasoning', text: 'hm', state: { family: 'anthropic', kind: 'signature', value: 's' } };
const ASKED: ChatRequest['turns'] = [{ role: 'user', content: [text('q')] }];
const SAID: ChatRequest['turns'] = [{ role: 'assistant', content: [text('x')] }];

const step = (id: string, ...before: ContentBlock[]): ChatRequest['turns'] => [
  { role: 'assistant', content: [...before, { type: 'tool-call', id, name: 'f', kind: 'function', argumentsText: '{}' }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, content: [text('r')] }] },
];

function thinkingOf(...turns: ChatRequest['turns']): string {
  const target = buildTarget('claude-sonnet-4-5', { supportsReasoning: true });
  const request = buildRequest({ turns, reasoning: { effort: 'low' } });
  const { body } = encodeRequest(request, { family: 'anthropic', target, losses: createLossReport() });
  return (JSON.parse(body) as { thinking: { type: string } }).thinking.type;
}

describe('thinking within a tool loop, of a model with a budget', () => {
  it.each<[string, string, ChatRequest['turns']]>([
    ['goes on in a loop of several steps that began with its thinking', 'enabled', [...ASKED, ...step('a', THOUGHT), ...step('b')]],
    ['goes on whatever is said along with results', 'enabled', [...ASKED, ...step('a', THOUGHT), ...ASKED, ...step('b'), ...ASKED]],
    ['ends in a loop that has lost what it began with', 'disabled', [...ASKED, ...step('a'), ...step('b', THOUGHT)]],
    ['is not that of a loop before', 'disabled', [...ASKED, ...step('a', THOUGHT), ...SAID, ...ASKED, ...step('b')]],
    ['begins anew after a loop', 'enabled', [...ASKED, ...step('a'), ...SAID, ...ASKED]],
  ])('%s', (_, thinking, turns) => {
    expect(thinkingOf(...turns)).toBe(thinking);
  });
});
