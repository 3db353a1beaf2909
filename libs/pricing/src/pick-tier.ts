import type { CompiledChatPrices, CompiledTier } from './compile-price-sheet';

/** The highest tier whose threshold the prompt exceeds; a prompt of exactly the threshold stays below it. */
export function pickTier(prices: CompiledChatPrices, promptTokens: number): CompiledTier {
  const { tiers } = prices;
  for (let index = tiers.length - 1; index > 0; index -= 1) {
    const tier = tiers[index];
    if (tier !== undefined && promptTokens > tier.threshold) return tier;
  }
  const base = tiers[0];
  if (base === undefined) throw new RangeError('a price sheet has no tier');
  return base;
}
