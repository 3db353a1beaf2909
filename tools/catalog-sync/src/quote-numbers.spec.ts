import { quoteNumbers } from './quote-numbers';

describe('quoteNumbers', () => {
  it('keeps every digit of a number, and leaves strings, names and words alone', () => {
    const json = String.raw`{"a1":0.10,"b":[1,-2.5e-7,null,true],"c 3":"4.5 \"6\" \\","d":{"e":123456789012345678901}}`;
    expect(JSON.parse(quoteNumbers(json))).toEqual({
      a1: '0.10',
      b: ['1', '-2.5e-7', null, true],
      'c 3': '4.5 "6" \\',
      d: { e: '123456789012345678901' },
    });
  });
});
