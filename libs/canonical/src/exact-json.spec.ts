import fc from 'fast-check';
import { hasLongInteger, parseExactJson, stringifyExactJson } from './exact-json';

it.each([
  '{"id":12345678901234567890}',
  '{"maximum":9223372036854775807,"minimum":-9223372036854775808,"text":"12345678901234567890 \\"1"}',
  '[9007199254740993,9007199254740991,0.25,18446744073709551615]',
  '{"a":{"b":[{"c":100000000000000000001}]},"d":"\\\\"}',
])('%s comes out as it went in', (text) => {
  expect(stringifyExactJson(parseExactJson(text))).toBe(text);
});

it('leaves what a double can hold to be computed with', () => {
  expect(parseExactJson('{"a":9007199254740992,"b":1.5,"c":"12345678901234567890"}')).toEqual({
    a: 9007199254740992,
    b: 1.5,
    c: '12345678901234567890',
  });
  expect(hasLongInteger('{"a":123456789012345}')).toBe(false);
});

it('throws for what is no JSON', () => {
  expect(() => parseExactJson('{"a":12345678901234567890')).toThrow(SyntaxError);
});

it('says the same as JSON.parse and JSON.stringify of everything else', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(stringifyExactJson(parseExactJson(text)))).toEqual(JSON.parse(text));
    }),
  );
});
