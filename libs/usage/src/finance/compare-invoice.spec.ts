import { DAY_MS } from '../period-key';
import { compareInvoice, findInvoiceRange, parseInvoice } from './compare-invoice';

const FIRST = Date.UTC(2026, 9, 1);
const USD = 10n ** 12n;

describe('a provider’s invoice', () => {
  it('is read with or without a heading, and days that come twice add up', () => {
    const invoice = parseInvoice('day,usd\r\n2026-10-01,1.25\n2026-10-03;10\n\n2026-10-01, 0.000000000001\n');
    expect(invoice).toEqual(
      new Map([
        [FIRST, 1_250_000_000_001n],
        [FIRST + 2 * DAY_MS, 10n * USD],
      ]),
    );
    expect(findInvoiceRange(invoice)).toEqual({ startMs: FIRST, endMs: FIRST + 3 * DAY_MS });
    expect(parseInvoice('2026-10-01,-3.5')).toEqual(new Map([[FIRST, -3_500_000_000_000n]]));
  });

  it.each([
    ['2026-10-01,1\n2026-10-02', 'line 2'],
    ['2026-10-01,1\n2026-10-02,1e3', 'line 2'],
    ['2026-09-31,1', 'line 1'],
    ['day,usd\n2026-10-01,1.0000000000001', ''],
    ['day,usd\n', 'no day'],
  ])('is refused as %j, saying where', (text, where) => {
    expect(() => parseInvoice(text)).toThrow(RangeError);
    expect(() => parseInvoice(text)).toThrow(where);
  });

  const compareDay = (invoiced: bigint, counted: bigint): boolean =>
    compareInvoice(new Map([[FIRST, invoiced]]), new Map([[FIRST, counted]])).isWithin;

  it('is within half a percent, a cent where that is more, five dollars where that is less', () => {
    expect([compareDay(100n * USD, (1_005n * USD) / 10n), compareDay(100n * USD, (1_005n * USD) / 10n + 1n)]).toEqual([true, false]);
    expect([compareDay(0n, USD / 100n), compareDay(0n, USD / 100n + 1n)]).toEqual([true, false]);
    expect([compareDay(10_000n * USD, 9_995n * USD), compareDay(10_000n * USD, 9_994n * USD)]).toEqual([true, false]);
  });

  it('may be even as a whole though its days are not, which are listed with the largest difference first', () => {
    const invoiced = new Map([
      [FIRST, 90n * USD],
      [FIRST + 2 * DAY_MS, 113n * USD],
    ]);
    const counted = new Map([
      [FIRST - DAY_MS, 77n * USD],
      [FIRST, 100n * USD],
      [FIRST + DAY_MS, 3n * USD],
      [FIRST + 2 * DAY_MS, 100n * USD],
    ]);

    const compared = compareInvoice(invoiced, counted);

    expect(compared).toMatchObject({ invoicedPico: 203n * USD, countedPico: 203n * USD, differencePico: 0n, isWithin: true });
    expect(compared.differing.map(({ dayMs, differencePico }) => [(dayMs - FIRST) / DAY_MS, differencePico / USD])).toEqual([
      [2, 13n],
      [0, -10n],
      [1, -3n],
    ]);
  });
});
