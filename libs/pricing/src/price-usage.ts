import { promptTokens, type Usage } from '@weir/canonical';
import type { PriceSheet } from '@weir/contracts';
import { ATTO_PER_PICO, compilePriceSheet, type CompiledChatPrices } from './compile-price-sheet';
import { divideHalfEven } from './divide-half-even';
import { pickTier } from './pick-tier';

/**
 * What one chat attempt costs, in pico-dollars. The whole request is priced at the tier its prompt reaches, and the sum is
 * rounded once, half-even. Reasoning is part of the output bucket and is not charged again; audio is part of the uncached
 * input and of the output, and costs its own price where it has one.
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
  if (usage.searches > 0) atto += priceSearches(usage, prices);
  if (usage.audioInput > 0) atto += surcharge(usage.audioInput, usage.inputUncached, tier.audioInput - tier.input);
  if (usage.audioOutput > 0) atto += surcharge(usage.audioOutput, usage.output, tier.audioOutput - tier.output);
  return divideHalfEven(atto, ATTO_PER_PICO);
}

/**
 * What audio costs beyond the text price that its bucket has been charged at; less than nothing where audio is cheaper.
 * Never for more tokens than the bucket holds, so that the bucket as a whole cannot cost less than nothing.
 */
function surcharge(audioTokens: number, bucketTokens: number, difference: bigint): bigint {
  return BigInt(Math.min(audioTokens, bucketTokens)) * difference;
}

/** Never more than there were, whatever their parts say. */
function priceSearches({ searches, searchesMedium = 0, searchesHigh = 0 }: Usage, prices: CompiledChatPrices): bigint {
  const high = Math.min(searchesHigh, searches);
  const medium = Math.min(searchesMedium, searches - high);
  return times(high, prices.searchHigh) + times(medium, prices.searchMedium) + times(searches - high - medium, prices.search);
}

function times(count: number, price: bigint): bigint {
  if (count < 0) throw new RangeError('a count is negative');
  return BigInt(count) * price;
}
