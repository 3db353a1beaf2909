import type { UnitPriceSheet } from '@weir/contracts';
import fc from 'fast-check';
import { priceUnits } from './price-units';
import { formatUsd } from './usd';

const unitSheet = (units: Record<string, string>): UnitPriceSheet => ({ kind: 'units', version: '2026-08-22', units });

describe('priceUnits', () => {
  it.each<[string, Record<string, string>, Record<string, number>, string]>([
    ['embedding tokens', { input_token: '0.00000002' }, { input_token: 1_234_567 }, '0.02469134'],
    ['images', { image: '0.04' }, { image: 3 }, '0.12'],
    ['characters', { character: '0.000015' }, { character: 4_096 }, '0.06144'],
    ['whole seconds', { second: '0.0001' }, { second: 7 }, '0.0007'],
    ['fractions of a second', { second: '0.0001' }, { second: 7.321 }, '0.0007321'],
    ['a quantity with exponent', { second: '1' }, { second: 1.5e-7 }, '0.00000015'],
    ['several units, one of them fractional', { input_token: '0.000001', second: '0.002' }, { input_token: 5, second: 0.5 }, '0.001005'],
    ['measured units without a price are left out', { image: '0.04' }, { image: 1, input_token: 900 }, '0.04'],
    ['priced units that were not used', { input_token: '0.000001', image: '0.04' }, { input_token: 10 }, '0.00001'],
    ['zero of a unit', { image: '0.04' }, { image: 0 }, '0'],
  ])('%s', (_what, prices, measured, usd) => {
    expect(formatUsd(priceUnits(unitSheet(prices), measured))).toBe(usd);
  });

  it('rounds once, half-even, also when quantities are fractions', () => {
    const sheet = unitSheet({ a: '0.0000000000005', b: '0.000000000001' });
    expect(priceUnits(sheet, { a: 1, b: 0.5 })).toBe(1n);
    expect(priceUnits(sheet, { a: 1 })).toBe(0n);
    expect(priceUnits(sheet, { b: 1.5 })).toBe(2n);
    expect(priceUnits(sheet, { b: 2.5 })).toBe(2n);
    expect(priceUnits(sheet, { b: 2.500000001 })).toBe(3n);
  });

  it('reads a fraction as typed: thousandths cost exactly a thousandth', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), (thousandths) => {
        expect(priceUnits(unitSheet({ second: '0.001' }), { second: thousandths / 1_000 })).toBe(BigInt(thousandths) * 1_000_000n);
      }),
    );
  });

  it('throws when nothing measured has a price, so that a misspelt unit is never free', () => {
    expect(() => priceUnits(unitSheet({ second: '0.001' }), { seconds: 5 })).toThrow(RangeError);
    expect(() => priceUnits(unitSheet({ second: '0.001' }), {})).toThrow(RangeError);
  });

  it.each([-1, -0.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses a quantity of %s', (second) => {
    expect(() => priceUnits(unitSheet({ second: '0.001' }), { second })).toThrow(RangeError);
  });
});
