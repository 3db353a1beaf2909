import { formatMoney, formatMoneyExactly, parseMoney, parseUsd, sumMoney, writeMoney } from './money';

describe('money', () => {
  it.each(['0', '1', '0.1', '12.000000000001', '-3.25', '123456789012345678.9'])('%s keeps every digit', (text) => {
    expect(writeMoney(parseMoney(text))).toBe(text);
  });

  it('adds what floating point cannot', () => {
    expect(writeMoney(sumMoney(['0.1', '0.2', '1000000000.000000000001'].map(parseMoney)))).toBe('1000000000.300000000001');
  });

  it.each(['', '1e-7', '1.', '.5', '1,000', 'NaN', '0.1234567890123'])('refuses %p', (text) => {
    expect(() => parseMoney(text)).toThrow('no amount');
  });

  it('reads limits that JSON writes with an exponent', () => {
    expect(writeMoney(parseUsd(1e-7))).toBe('0.0000001');
    expect(writeMoney(parseUsd(50))).toBe('50');
    expect(writeMoney(parseUsd(99_999.99))).toBe('99999.99');
  });

  it.each([
    ['0', '$0.00'],
    ['1234567.891', '$1,234,567.89'],
    ['0.995', '$0.9950'],
    ['1.005', '$1.01'],
    ['0.00012', '$0.00012'],
    ['0.00009', '$0.00009'],
    ['0.000015499', '$0.000015'],
    ['0.000000000001', '$0.000000000001'],
    ['0.0123456', '$0.0123'],
    ['0.00004', '$0.00004'],
    ['-0.00004', '−$0.00004'],
    ['-12', '−$12.00'],
    ['0.99999', '$1.0000'],
  ])('%s is shown as %s', (text, shown) => {
    expect(formatMoney(parseMoney(text))).toBe(shown);
  });

  it('shows the exact amount with at least cents', () => {
    expect(formatMoneyExactly(parseMoney('1234.5'))).toBe('$1,234.50');
    expect(formatMoneyExactly(parseMoney('-0.000000000001'))).toBe('−$0.000000000001');
  });
});
