import { promptTokens, type Usage } from '@weir/canonical';
import type { PriceSheet } from '@weir/contracts';
import { priceUnits, priceUsage } from '@weir/pricing';

/** Steps of the search: shares as fine as the counts that any provider reports. */
const STEPS = 50;

/**
 * A usage that costs at most `mostPico` at these prices: the very same object where it does, else all its counts cut by the same share,
 * the largest that is paid for. For a reply of a dearer model than was held for.
 */
export function fitUsage(usage: Usage, prices: PriceSheet, mostPico: bigint): Usage {
  if (priceTokens(prices, usage) <= mostPico) return usage;
  let [fits, costs] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const share = (fits + costs) / 2;
    if (priceTokens(prices, cut(usage, share)) <= mostPico) fits = share;
    else costs = share;
  }
  return cut(usage, fits);
}

function priceTokens(prices: PriceSheet, usage: Usage): bigint {
  return prices.kind === 'chat' ? priceUsage(prices, usage) : priceUnits(prices, { input_token: promptTokens(usage) });
}

function cut(usage: Usage, share: number): Usage {
  const of = (count: number): number => Math.floor(count * share);
  const [output, inputUncached] = [of(usage.output), of(usage.inputUncached)];
  return {
    inputUncached,
    cacheRead: of(usage.cacheRead),
    cacheWrite5m: of(usage.cacheWrite5m),
    cacheWrite1h: of(usage.cacheWrite1h),
    output,
    reasoning: Math.min(of(usage.reasoning), output),
    audioInput: Math.min(of(usage.audioInput), inputUncached),
    audioOutput: Math.min(of(usage.audioOutput), output),
    searches: of(usage.searches),
    source: 'estimate',
  };
}
