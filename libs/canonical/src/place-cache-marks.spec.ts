import type { ChatRequest } from './chat-request';
import { placeCacheMarks } from './place-cache-marks';

const text = (value: string) => ({ type: 'text' as const, text: value });
const request: ChatRequest = {
  model: 'm',
  stream: false,
  turns: [
    { role: 'system', content: [text('one'), text('two')] },
    { role: 'user', content: [text('hello')] },
    { role: 'assistant', content: [text('hi')] },
    { role: 'user', content: [text('first'), text('last')] },
  ],
  tools: [
    { kind: 'function', name: 'a' },
    { kind: 'function', name: 'b' },
  ],
};
const MARK = { ttl: '1h' } as const;
const marked = (given: ChatRequest | undefined) => ({
  tools: (given?.tools ?? []).map((tool) => ('cache' in tool ? tool.cache : undefined)),
  turns: (given?.turns ?? []).map(({ content }) => content.map((block) => ('cache' in block ? block.cache : undefined))),
});

describe('placeCacheMarks', () => {
  it('marks the last tool, the end of the instructions and the last turn of the caller', () => {
    const placed = placeCacheMarks(request, MARK, { tools: true });

    expect(marked(placed)).toEqual({ tools: [undefined, MARK], turns: [[undefined, MARK], [undefined], [undefined], [undefined, MARK]] });
    expect(marked(request).tools).toEqual([undefined, undefined]);
  });

  it('leaves tools alone where the provider takes no marks there', () => {
    expect(marked(placeCacheMarks(request, MARK, { tools: false })).tools).toEqual([undefined, undefined]);
  });

  it.each<[string, ChatRequest]>([
    ['a tool', { ...request, tools: [{ kind: 'function', name: 'a', cache: {} }] }],
    ['a block', { ...request, turns: [{ role: 'user', content: [{ ...text('x'), cache: {} }] }] }],
    ['the request', { ...request, autoCache: {} }],
  ])('changes nothing when the caller marked %s', (_, own) => {
    expect(placeCacheMarks(own, MARK, { tools: true })).toBe(own);
  });

  it('says so where there is nothing that may be marked', () => {
    const odd: ChatRequest = {
      ...request,
      tools: [{ kind: 'hosted', family: 'messages', type: 'bash', raw: {} }],
      turns: [
        { role: 'user', content: [text('  ')] },
        { role: 'assistant', content: [text('prefill')] },
      ],
    };
    expect(placeCacheMarks(odd, MARK, { tools: true })).toBeUndefined();
    expect(placeCacheMarks({ ...request, turns: [] }, MARK, { tools: false })).toBeUndefined();
  });
});
