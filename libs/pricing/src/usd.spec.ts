import fc from 'fast-check';
import { formatUsd, parseUsd, usdNumberToPico } from './usd';

describe('formatUsd', () => {
  it.each([
    [0n, '0'],
    [1n, '0.000000000001'],
    [14_550_000n, '0.00001455'],
    [1_000_000_000_000n, '1'],
    [1_500_000_000_000n, '1.5'],
    [10_000_000_000_000n, '10'],
    [-250_000_000_000n, '-0.25'],
    [123_456_789_012_345_678_901n, '123456789.012345678901'],
  ])('%s pico-dollars read %s', (pico, text) => {
    expect(formatUsd(pico)).toBe(text);
  });

  it('never writes an exponent, a trailing zero or a bare point, and parseUsd reads every amount back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), (pico) => {
        const text = formatUsd(pico);
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(parseUsd(text)).toBe(pico);
      }),
    );
  });
});

describe('parseUsd', () => {
  it('accepts zeros beyond 1e-12, because nothing is lost', () => {
    expect(parseUsd('0.0000000000010000')).toBe(1n);
  });

  it.each(['', ' 1', '1 ', '1e-5', '+1', '.5', '5.', '1,5', '0x10', 'NaN', '--1', '1.2.3', '٣', '0.0000000000001', '9'.repeat(31)])(
    'refuses %j',
    (text) => {
      expect(() => parseUsd(text)).toThrow(RangeError);
    },
  );
});

describe('usdNumberToPico', () => {
  it.each([
    [0, 0n],
    [-0, 0n],
    [0.1, 100_000_000_000n],
    [1.5e-7, 150_000n],
    [1e-12, 1n],
    [2.5, 2_500_000_000_000n],
    [1e21, 10n ** 33n],
    [1.25e22, 125n * 10n ** 32n],
    [-1e-7, -100_000n],
  ])('reads %s as it was typed', (value, pico) => {
    expect(usdNumberToPico(value)).toBe(pico);
  });

  it('agrees with the shortest decimal text of every amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 0, max: 12 }), (digits, places) => {
        expect(usdNumberToPico(Number(`${digits}e-${places}`))).toBe(BigInt(digits) * 10n ** BigInt(12 - places));
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e-13, 0.1 + 0.2])('refuses %s rather than rounding it', (value) => {
    expect(() => usdNumberToPico(value)).toThrow(RangeError);
  });
});
