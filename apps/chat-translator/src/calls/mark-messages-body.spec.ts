import { createOriginalBody, type OriginalBody } from '@weir/canonical';
import { markMessagesBody } from './mark-messages-body';

const bodyOf = (text: string): OriginalBody => createOriginalBody(text) as OriginalBody;
const mark = (text: string) => markMessagesBody(bodyOf(text), {})?.text ?? 'no place';
const CONTROL = '"cache_control":{"type":"ephemeral"}';

describe('markMessagesBody', () => {
  it('marks tools, system and the last user turn, and leaves every other byte', () => {
    const text = `{ "model": "m", "max_tokens":1.0,
      "tools": [ {"name":"a","input_schema":{"x":1e3}} , {"name":"b"} ],
      "system": "be kind", "messages": [{"role":"user","content":"one"},{"role":"assistant","content":"two"},
      {"role":"user","content":[{"type":"text","text":"three"}, {"type":"image","source":{"n":1.10}}]}] }`;

    const marked = mark(text);

    expect(marked).toContain(`"tools":[ {"name":"a","input_schema":{"x":1e3}} , {"name":"b",${CONTROL}} ]`);
    expect(marked).toContain(`"system":[{"type":"text","text":"be kind",${CONTROL}}]`);
    expect(marked).toContain(`{"type":"image","source":{"n":1.10},${CONTROL}}`);
    expect(marked).toContain('"max_tokens":1.0');
    expect(marked.match(/cache_control/g)).toHaveLength(3);
    expect(JSON.parse(marked)).toMatchObject({ model: 'm', messages: [{ content: 'one' }, { content: 'two' }, {}] });
  });

  it('takes the lifetime', () => {
    expect(markMessagesBody(bodyOf('{"messages":[{"role":"user","content":"hi"}]}'), { ttl: '1h' })?.text).toBe(
      '{"messages":[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}',
    );
  });

  it('leaves a body alone that has breakpoints of the caller’s own', () => {
    const text = '{"system":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"hi"}]}';
    expect(mark(text)).toBe(text);
  });

  it.each([
    ['blank text', '{"system":" ","messages":[{"role":"user","content":[{"type":"text","text":""}]}]}'],
    ['thinking', '{"messages":[{"role":"user","content":[{"type":"thinking","thinking":"x"}]}]}'],
    ['an answer that the caller began', '{"messages":[{"role":"assistant","content":"The"}]}'],
    ['nothing at all', '{"tools":[],"system":[],"messages":[]}'],
    ['wrong types', '{"tools":{},"system":7,"messages":"x"}'],
  ])('finds no place in a body that ends in %s', (_, text) => {
    expect(mark(text)).toBe('no place');
  });
});
