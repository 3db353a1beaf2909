import fc from 'fast-check';
import { asNumber, isExactNumber, isHeldByDouble, mayHoldLongNumber, parseExactJson, stringifyExactJson } from './exact-json';

it.each([
  '{"id":12345678901234567890}',
  '{"maximum":9223372036854775807,"minimum":-9223372036854775808,"text":"12345678901234567890 \\"1"}',
  '[9007199254740993,9007199254740991,0.25,18446744073709551615]',
  '{"a":{"b":[{"c":100000000000000000001}]},"d":"\\\\"}',
  '[0.1000000000000000055,1e400,-1e-400,1234567.123456789012,-0.30000000000000001e-5]',
  '9007199254740993',
])('%s comes out as it went in', (text) => {
  expect(stringifyExactJson(parseExactJson(text))).toBe(text);
});

it('leaves what a double can hold to be computed with', () => {
  expect(parseExactJson('{"a":9007199254740992,"b":1.5,"c":"12345678901234567890","d":0.30000000000000004,"e":1.50e22,"f":0.0e9}')).toEqual(
    {
      a: 9007199254740992,
      b: 1.5,
      c: '12345678901234567890',
      d: 0.30000000000000004,
      e: 1.5e22,
      f: 0,
    },
  );
  expect(mayHoldLongNumber('{"a":123456789012345,"b":"12345678901234567890","c":"3e5"}')).toBe(false);
});

it('reads a number that it kept, as near as a double is', () => {
  const [long, large, text] = parseExactJson('[9007199254740993,1e400,"1"]') as unknown[];
  expect([asNumber(long), asNumber(large), asNumber(text), asNumber(2)]).toEqual([9007199254740992, Infinity, undefined, 2]);
  expect([isExactNumber(long), isExactNumber(text)]).toEqual([true, false]);
});

it('keeps a text that looks like a kept number a text', () => {
  const forged = JSON.stringify({ a: '\uf8ffexact-number:1', b: '\uf8ff1' });
  expect(stringifyExactJson(parseExactJson(forged))).toBe(forged);
});

it('makes nothing of undefined, as JSON.stringify does', () => {
  expect(stringifyExactJson(undefined)).toBeUndefined();
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

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((all) => all.join(''));
const written = fc
  .tuple(fc.constantFrom('', '-'), digits(0, 25), fc.option(digits(1, 25)), fc.option(fc.integer({ min: -330, max: 330 })))
  .map(([sign, whole, fraction, exponent]) => {
    const number = `${sign}${whole.replace(/^0+/, '') || '0'}`;
    return `${number}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`;
  });

it('keeps every digit of every number: what is not kept as written has the same value as a decimal', () => {
  const value = (number: string): { digits: bigint; exponent: number } => {
    const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
    return { digits: BigInt(`${sign}${whole}${fraction}`), exponent: Number(exponent) - fraction.length };
  };
  const areEqual = (one: string, other: string): boolean => {
    const [a, b] = [value(one), value(other)];
    const least = Math.min(a.exponent, b.exponent);
    return a.digits * 10n ** BigInt(a.exponent - least) === b.digits * 10n ** BigInt(b.exponent - least);
  };
  fc.assert(
    fc.property(written, (number) => {
      const said = stringifyExactJson(parseExactJson(`{"n": ${number}}`)).slice(5, -1);
      expect(areEqual(said, number)).toBe(true);
      if (!isHeldByDouble(number)) expect(said).toBe(number);
    }),
    { numRuns: 2_000 },
  );
});
