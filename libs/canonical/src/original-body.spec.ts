import fc from 'fast-check';
import { createOriginalBody, editBody, readMember } from './original-body';

const nothing = new Set<string>();

function edit(text: string, set: Record<string, string>, remove: string[] = []): string {
  const body = createOriginalBody(text);
  if (body === undefined) throw new Error('no object');
  return editBody(body, { set: new Map(Object.entries(set)), remove: new Set(remove) });
}

describe('the original body', () => {
  it('keeps every other byte: number spellings, escapes, order, unknown members', () => {
    const text = '{"model":"a/b","temperature":1.0,"x":"\\u00e9\\"}","deep":{"model":"kept","n":1e3},"weir":{"tags":[]}}';

    expect(edit(text, { model: '"b"' }, ['weir'])).toBe(
      '{"model":"b","temperature":1.0,"x":"\\u00e9\\"}","deep":{"model":"kept","n":1e3}}',
    );
  });

  it('appends a member that is not there and replaces a repeated one once', () => {
    expect(edit('{ "a" : 1 , "a" : 2 }', { a: '3', b: '[4]' })).toBe('{"a":3,"b":[4]}');
  });

  it('reads the member that JSON.parse would', () => {
    const body = createOriginalBody('{"a":1,"b":{"a":3},"a":[2]}');

    expect(body && readMember(body, 'a')).toBe('[2]');
    expect(body && readMember(body, 'c')).toBeUndefined();
  });

  it.each(['[]', '"text"', 'null', '12'])('is undefined for %s, which is no object', (text) => {
    expect(createOriginalBody(text)).toBeUndefined();
  });

  it('finds exactly the members of any JSON object, however it is spaced', () => {
    const spacing = fc.constantFrom(undefined, 1, 2, '\t');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), spacing, (value, space) => {
        const text = JSON.stringify(value, null, space);
        const body = createOriginalBody(text);
        expect(body?.members.map(({ name }) => name)).toEqual(Object.keys(JSON.parse(text) as object));
        for (const name of Object.keys(value))
          expect(JSON.parse(body ? (readMember(body, name) ?? '') : '')).toEqual(JSON.parse(JSON.stringify(value[name])));
        if (body) expect(JSON.parse(editBody(body, { set: new Map(), remove: nothing }))).toEqual(JSON.parse(text));
      }),
    );
  });
});
