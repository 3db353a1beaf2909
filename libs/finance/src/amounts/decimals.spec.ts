import fc from 'fast-check';
import { formatDecimal, formatFixed, roundHalfEven } from './decimals';

describe('decimals as integers', () => {
  it.each([
    [12_345n, 3, 2, 1234n],
    [12_355n, 3, 2, 1236n],
    [-12_345n, 3, 2, -1234n],
    [-12_346n, 3, 2, -1235n],
    [5n, 1, 0, 0n],
    [15n, 1, 0, 2n],
    [7n, 0, 3, 7000n],
  ])('rounds %s of %s places to %s: %s', (value, from, to, rounded) => {
    expect(roundHalfEven(value, from, to)).toBe(rounded);
  });

  it.each([
    [1230n, 2, '12.30', '12.3'],
    [-5n, 3, '-0.005', '-0.005'],
    [0n, 2, '0.00', '0'],
    [700n, 0, '700', '700'],
    [1_000n, 3, '1.000', '1'],
  ])('writes %s of %s places as %s, and exactly as %s', (value, places, fixed, exact) => {
    expect([formatFixed(value, places), formatDecimal(value, places)]).toEqual([fixed, exact]);
  });

  it('never rounds by more than half of what it keeps, whatever the sign', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 1, max: 18 }), (value, cut) => {
        const off = roundHalfEven(value, cut, 0) * 10n ** BigInt(cut) - value;
        expect((off < 0n ? -off : off) * 2n).toBeLessThanOrEqual(10n ** BigInt(cut));
        expect(roundHalfEven(-value, cut, 0)).toBe(-roundHalfEven(value, cut, 0));
      }),
    );
  });
});
