import { add, compare, multiply, parseDecimal, readPrice, roundHalfEven, shift, writeDecimal, writeUsd } from './decimals';

describe('decimals', () => {
  it.each([
    ['0', '0'],
    ['1234567.50', '1,234,567.5'],
    ['1.5e-7', '0.00000015'],
    ['2E3', '2,000'],
    ['-0.25', '−0.25'],
    ['0.000000000000000001', '0.000000000000000001'],
  ])('%s is read, and written as %s', (text, written) => {
    expect(writeDecimal(parseDecimal(text))).toBe(written);
  });

  it.each(['', '.5', '1,000', 'NaN', '1e', '0x1'])('refuses %p', (text) => {
    expect(() => parseDecimal(text)).toThrow('no decimal number');
  });

  it.each([
    [1.5e-7, '$0.15'],
    [0.000003, '$3.00'],
    [7.5e-8, '$0.075'],
    [0, '$0.00'],
  ])('the price %p is %s a million', (price, written) => {
    expect(writeUsd(shift(readPrice(price), 6))).toBe(written);
  });

  it('multiplies and adds what floating point cannot', () => {
    const sum = add(multiply(parseDecimal('3'), parseDecimal('0.1')), parseDecimal('0.000000000000000003'));
    expect(writeDecimal(sum)).toBe('0.300000000000000003');
  });

  it.each([
    ['0.0000000000005', '0'],
    ['0.0000000000015', '0.000000000002'],
    ['0.00000000000051', '0.000000000001'],
    ['0.25', '0.25'],
  ])('%s is rounded to %s', (text, rounded) => {
    expect(writeDecimal(roundHalfEven(parseDecimal(text), 12))).toBe(rounded);
  });

  it('compares across places', () => {
    expect(compare(parseDecimal('0.10'), parseDecimal('0.1'))).toBe(0);
    expect(compare(parseDecimal('0.09'), parseDecimal('0.1'))).toBe(-1);
    expect(compare(parseDecimal('2'), parseDecimal('0.1'))).toBe(1);
  });
});
