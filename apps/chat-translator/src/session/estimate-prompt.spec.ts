import type { ChatRequest, ContentBlock } from '@weir/canonical';
import { estimatePromptTokens } from './estimate-prompt';

const MODEL = 'gpt-4o';
const AROUND = 7;
const requestOf = (content: readonly ContentBlock[], more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'm',
  stream: false,
  turns: [{ role: 'user', content }],
  ...more,
});
const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const countText = (words: string): number => estimatePromptTokens(requestOf([text(words)]), MODEL) - AROUND;

describe('the estimate of a prompt', () => {
  it('counts a text as the model does, and what stands around its turns', () => {
    expect(countText('hello world')).toBe(2);
    expect(countText('')).toBe(0);
    expect(countText('<|endoftext|>')).toBeGreaterThan(1);
  });

  it.each<[string, ContentBlock, number]>([
    ['a picture', { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'A'.repeat(9999) } }, 1600],
    ['a PDF', { type: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data: 'A'.repeat(9999) } }, 1600],
    ['a document of text', { type: 'document', source: { kind: 'text', mediaType: 'text/plain', text: 'hello world' } }, 2],
    ['a call', { type: 'tool-call', id: 'an id is not read', name: 'hello', argumentsText: 'world', kind: 'function' }, 3],
    ['a result', { type: 'tool-result', toolCallId: 'c', content: [text('hello'), text('hello')] }, 3],
  ])('counts %s by what a model reads of it', (_what, block, expected) => {
    expect(estimatePromptTokens(requestOf([block]), MODEL)).toBe(AROUND + expected);
  });

  it('counts the tools and the schema of the answer', () => {
    const plain = estimatePromptTokens(requestOf([]), MODEL);
    const tool = { kind: 'function', name: 'f', parameters: { type: 'object' } } as const;
    const withTool = estimatePromptTokens(requestOf([], { tools: [tool] }), MODEL);
    const withSchema = estimatePromptTokens(requestOf([], { responseFormat: { kind: 'json-schema', schema: { type: 'object' } } }), MODEL);
    expect(withTool).toBeGreaterThan(plain + 5);
    expect(withSchema).toBeGreaterThan(plain);
  });
});
