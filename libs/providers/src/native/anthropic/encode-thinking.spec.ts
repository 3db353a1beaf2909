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

describe('a budget to think, of a model that has one', () => {
  function encode(reasoning: ChatRequest['reasoning'] & object, maxOutputTokens: number) {
    const target = buildTarget('claude-sonnet-4-5', { supportsReasoning: true });
    const losses = createLossReport();
    const { body } = encodeRequest(buildRequest({ reasoning, maxOutputTokens }), { family: 'anthropic', target, losses });
    const { max_tokens: max, thinking } = JSON.parse(body) as { max_tokens: number; thinking: { type: string; budget_tokens?: number } };
    return { max, thinking: thinking.budget_tokens ?? thinking.type, approximated: [...losses.approximated] };
  }

  it.each<[ChatRequest['reasoning'] & object, number, number | string, boolean]>([
    [{ effort: 'high' }, 64_000, 16_384, false],
    [{ effort: 'high' }, 4_000, 3_200, true],
    [{ effort: 'max' }, 10_000, 8_000, true],
    [{ effort: 'medium' }, 64_000, 8_192, false],
    [{ effort: 'medium' }, 4_000, 2_000, true],
    [{ effort: 'low' }, 4_096, 2_048, false],
    [{ effort: 'low' }, 1_500, 1_024, true],
    [{ effort: 'high' }, 1_280, 1_024, true],
    [{ effort: 'low' }, 1_279, 'disabled', true],
    [{ effort: 'high' }, 1_025, 'disabled', true],
    [{ effort: 'high' }, 100, 'disabled', true],
    // A number is the caller's own choice, as far as the provider takes it.
    [{ budgetTokens: 3_999 }, 4_000, 3_999, false],
    [{ budgetTokens: 4_000 }, 4_000, 3_200, true],
    [{ budgetTokens: 50_000 }, 4_000, 3_200, true],
  ])('with %j of %d tokens is %s', (reasoning, maxOutputTokens, thinking, isApproximated) => {
    expect(encode(reasoning, maxOutputTokens)).toEqual({
      max: maxOutputTokens,
      thinking,
      approximated: isApproximated ? ['reasoning_effort'] : [],
    });
  });
});
