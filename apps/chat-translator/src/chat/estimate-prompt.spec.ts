import type { ChatRequest, ContentBlock } from '@weir/canonical';
import { estimatePromptTokens } from './estimate-prompt';

const TURN = 4;
const requestOf = (content: readonly ContentBlock[], more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'm',
  stream: false,
  turns: [{ role: 'user', content }],
  ...more,
});
const text = (length: number): ContentBlock => ({ type: 'text', text: 'x'.repeat(length) });

describe('estimatePromptTokens', () => {
  it('takes four bytes for a token, and rounds up at the very end only', () => {
    expect(estimatePromptTokens(requestOf([text(400)]))).toBe(TURN + 100);
    expect(estimatePromptTokens(requestOf([text(1), text(1)]))).toBe(TURN + 1);
    expect(estimatePromptTokens(requestOf([{ type: 'text', text: 'é€' }]))).toBe(TURN + 2); // 5 bytes
  });

  it.each<[string, ContentBlock, number]>([
    ['a picture', { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'A'.repeat(9999) } }, 1600],
    ['a PDF', { type: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data: 'A'.repeat(9999) } }, 1600],
    ['a document of text', { type: 'document', source: { kind: 'text', mediaType: 'text/plain', text: 'x'.repeat(80) } }, 20],
    ['a call', { type: 'tool-call', id: 'an id is not read', name: 'name', argumentsText: '{"a":10}', kind: 'function' }, 3],
    ['a result', { type: 'tool-result', toolCallId: 'c', content: [text(8), text(8)] }, 4],
  ])('counts %s by what a model reads of it', (_what, block, expected) => {
    expect(estimatePromptTokens(requestOf([block]))).toBe(TURN + expected);
  });

  it('counts the tools and the schema of the answer', () => {
    const tool = { kind: 'function', name: 'f', parameters: { type: 'object' } } as const;
    const schema = { type: 'object' };

    expect(estimatePromptTokens(requestOf([], { tools: [tool] }))).toBe(TURN + Math.ceil(JSON.stringify([tool]).length / 4));
    expect(estimatePromptTokens(requestOf([], { responseFormat: { kind: 'json-schema', schema } }))).toBe(TURN + 5); // 17 bytes
  });
});
