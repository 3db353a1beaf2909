import { NO_USAGE, type Usage } from '@weir/canonical';
import type { ChatPriceSheet } from '@weir/contracts';
import { priceUsage } from '@weir/pricing';
import fc from 'fast-check';
import { fitUsage } from './fit-usage';

const zero = { cachedRead: '0', cacheWrite5m: '0', cacheWrite1h: '0' };
const price = fc.integer({ min: 0, max: 10 ** 6 }).map((millionths) => `0.${String(millionths).padStart(9, '0')}`);
const sheet = fc.tuple(price, price, price, price).map(([input, output, dear, search]): ChatPriceSheet => ({
  kind: 'chat',
  version: 'v',
  search,
  tiers: [
    { threshold: 0, input, output, ...zero },
    { threshold: 1_000, input: dear, output: dear, ...zero },
  ],
}));
const count = fc.integer({ min: 0, max: 10 ** 6 });
const usages = fc
  .tuple(count, count, count, fc.integer({ min: 0, max: 20 }))
  .map(([inputUncached, cacheRead, output, searches]): Usage => ({ ...NO_USAGE, inputUncached, cacheRead, output, searches }));

describe('fitUsage', () => {
  it('costs no more than it may, and leaves what fits as it is', () => {
    fc.assert(
      fc.property(sheet, usages, fc.bigInt({ min: 0n, max: 10n ** 13n }), (prices, usage, most) => {
        const fitted = fitUsage(usage, prices, most);
        expect(priceUsage(prices, fitted) <= most).toBe(true);
        expect(fitted === usage).toBe(priceUsage(prices, usage) <= most);
      }),
    );
  });

  it('is the largest that fits', () => {
    const prices: ChatPriceSheet = {
      kind: 'chat',
      version: 'v',
      tiers: [{ threshold: 0, input: '0.000001', output: '0.000001', ...zero }],
    };
    const fitted = fitUsage({ ...NO_USAGE, output: 1_000, reasoning: 800 }, prices, 499_500_000n);
    expect(fitted).toEqual({ ...NO_USAGE, output: 499, reasoning: 399, source: 'estimate' });
  });

  it('is of embeddings too', () => {
    const prices = { kind: 'units', version: 'v', units: { input_token: '0.000001' } } as const;
    expect(fitUsage({ ...NO_USAGE, inputUncached: 10 }, prices, 5_000_000n).inputUncached).toBe(5);
  });
});
