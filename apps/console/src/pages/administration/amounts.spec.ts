import { amountError, compareSpending, readAmount, readSum, writeAmount } from './amounts';

describe('readAmount', () => {
  it.each([
    ['', null],
    ['  ', null],
    ['50', 50],
    ['$50', 50],
    ['12.5', 12.5],
    ['1,000.25', 1000.25],
    ['0.000001', 0.000001],
  ])('reads %p', (text, usd) => {
    expect(readAmount(text)).toEqual({ usd });
  });

  it.each(['0', '-1', 'fifty', '1e3', '12,5', '1.0000000000001', '€5'])('refuses %p', (text) => {
    expect(readAmount(text)).toHaveProperty('error');
  });

  it('takes 0 where it is no limit', () => {
    expect(readSum('0.00')).toEqual({ usd: 0 });
  });

  it('refuses what a number cannot hold, and what is too much', () => {
    expect(amountError('123456789.123456789012')).toContain('digits');
    expect(amountError('1000000001')).toContain('At most');
  });
});

describe('writeAmount', () => {
  it('leaves no limit empty', () => {
    expect([writeAmount(0), writeAmount(undefined), writeAmount(0.1), writeAmount(1e-7)]).toEqual(['', '', '0.1', '0.0000001']);
  });
});

describe('compareSpending', () => {
  it.each([
    [0, 50, 0, 'normal'],
    [39.99, 50, 0.799, 'normal'],
    [40, 50, 0.8, 'warn'],
    [50, 50, 1, 'bad'],
    [75, 50, 1.5, 'bad'],
  ])('compares %p with %p', (spent, limit, share, kind) => {
    expect(compareSpending(spent, limit)).toEqual({ share, kind });
  });

  it('has nothing to compare without a limit', () => {
    expect(compareSpending(5, 0)).toBeUndefined();
    expect(compareSpending(5, undefined)).toBeUndefined();
  });
});
