import { readSearchText, readText, readTexts, readWord, writeSearchText } from './search-text';

describe('the search of an address', () => {
  it.each(['', '?a=1', '?model=x/y&model=z:free&q=007', '?a=%26%3D'])('%p is read and written alike', (text) => {
    expect(writeSearchText(readSearchText(text))).toBe(text);
  });

  it('keeps numbers and words as text', () => {
    expect(readSearchText('?a=1&b=true&__proto__=x')).toMatchObject({ a: '1', b: 'true' });
  });

  it('leaves out what is not set', () => {
    expect(writeSearchText({ a: undefined, b: '', c: [], d: ['x', undefined] })).toBe('?d=x');
  });

  it('is checked by small readers', () => {
    expect([readText(['a', 'b']), readText(7), readText('')]).toEqual(['a', undefined, undefined]);
    expect([readTexts('a'), readTexts(['a', 'a', 'b', 3]), readTexts(undefined)]).toEqual([['a'], ['a', 'b'], []]);
    expect([readWord('day', ['day', 'hour']), readWord('x', ['day'])]).toEqual(['day', undefined]);
  });
});
