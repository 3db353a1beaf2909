import { findChange, findShare, formatMilliseconds, formatShare, formatShortCount } from './numbers';

describe('numbers', () => {
  it('shares are 0 of nothing', () => {
    expect(findShare(1n, 0n)).toBe(0);
    expect(findShare(1n, 3n)).toBe(0.3333);
    expect(formatShare(findShare(1n, 10n ** 20n))).toBe('<0.1%');
  });

  it('changes are none against nothing', () => {
    expect(findChange(5n, 0n)).toBeNull();
    expect(findChange(5n, 10n)).toBe(-0.5);
  });

  it.each([
    [0.00001, '<0.1%'],
    [0, '0%'],
    [0.3333, '33.3%'],
  ])('a share of %p is shown as %s', (share, shown) => {
    expect(formatShare(share)).toBe(shown);
  });

  it.each([
    [9999, '9,999'],
    [1_234_567, '1.23M'],
  ])('%p is shown as %s', (count, shown) => {
    expect(formatShortCount(count)).toBe(shown);
  });

  it.each([
    [999, '999 ms'],
    [1234, '1.23 s'],
    [61_000, '1 min 1 s'],
  ])('%p milliseconds are shown as %s', (milliseconds, shown) => {
    expect(formatMilliseconds(milliseconds)).toBe(shown);
  });
});
