import { promptTokens, type Usage } from '@weir/canonical';
import type { PriceSheet } from '@weir/contracts';
import { ATTO_PER_PICO, compilePriceSheet } from './compile-price-sheet';
import { divideHalfEven } from './divide-half-even';
import { pickTier } from './pick-tier';

/**
 * What one chat attempt costs, in pico-dollars. The whole request is priced at the tier its prompt reaches, and the sum is
 * rounded once, half-even. Reasoning is part of the output bucket and is not charged again.
 */
export function priceUsage(sheet: PriceSheet, usage: Usage): bigint {
  const prices = compilePriceSheet(sheet);
  if (prices.kind !== 'chat') throw new RangeError('token usage needs a chat price sheet');
  const tier = pickTier(prices, promptTokens(usage));
  let atto = times(usage.inputUncached, tier.input) + times(usage.output, tier.output);
  // Most requests have empty buckets; skipping them halves the work on the hot path.
  if (usage.cacheRead > 0) atto += times(usage.cacheRead, tier.cachedRead);
  if (usage.cacheWrite5m > 0) atto += times(usage.cacheWrite5m, tier.cacheWrite5m);
  if (usage.cacheWrite1h > 0) atto += times(usage.cacheWrite1h, tier.cacheWrite1h);
  if (usage.searches > 0) atto += times(usage.searches, prices.search);
  return divideHalfEven(atto, ATTO_PER_PICO);
}

function times(count: number, price: bigint): bigint {
  if (count < 0) throw new RangeError('a count is negative');
  return BigInt(count) * price;
}
