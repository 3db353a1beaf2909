import type { PriceSheet } from '@weir/contracts';
import { ATTO_PER_PICO, compilePriceSheet, type CompiledTier } from '@weir/pricing';

/** The most of everything that a chat attempt can use. */
type UsageBounds = { readonly promptTokens: number; readonly outputTokens: number; readonly searches: number };

/** The most that a token can cost, in atto-dollars. */
type Dearest = { readonly input: bigint; readonly output: bigint };

const dearestByTier = new WeakMap<readonly CompiledTier[], readonly Dearest[]>();

/**
 * What an attempt costs at most, in pico-dollars, rounded up: at the dearest tier that its prompt can reach, every prompt
 * token at the dearest of fresh, cached, cache-writing and audio prices. No usage within the bounds costs more.
 */
export function priceBounds(sheet: PriceSheet, bounds: UsageBounds): bigint {
  return divideUp(attoOfPrompt(sheet, bounds) + BigInt(bounds.outputTokens) * outputAtto(sheet, bounds.promptTokens), ATTO_PER_PICO);
}

/** How many output tokens `amountPico` still pays for, beside the prompt and the searches; Infinity where output is free. */
export function fitOutputTokens(sheet: PriceSheet, bounds: Omit<UsageBounds, 'outputTokens'>, amountPico: bigint): number {
  const price = outputAtto(sheet, bounds.promptTokens);
  if (price === 0n) return Infinity;
  const left = amountPico * ATTO_PER_PICO - attoOfPrompt(sheet, bounds);
  return left <= 0n ? 0 : Number(left / price);
}

function attoOfPrompt(sheet: PriceSheet, { promptTokens, searches }: Omit<UsageBounds, 'outputTokens'>): bigint {
  const prices = compilePriceSheet(sheet);
  if (prices.kind !== 'chat') throw new RangeError('token usage needs a chat price sheet');
  return (
    BigInt(promptTokens) * findDearest(prices.tiers, promptTokens).input +
    BigInt(searches) * largest([prices.search, prices.searchMedium, prices.searchHigh])
  );
}

function outputAtto(sheet: PriceSheet, promptTokens: number): bigint {
  const prices = compilePriceSheet(sheet);
  return prices.kind === 'chat' ? findDearest(prices.tiers, promptTokens).output : 0n;
}

function findDearest(tiers: readonly CompiledTier[], promptTokens: number): Dearest {
  let dearest = dearestByTier.get(tiers);
  if (dearest === undefined) {
    dearest = accumulate(tiers);
    dearestByTier.set(tiers, dearest);
  }
  let reached = 0;
  while (reached + 1 < tiers.length && promptTokens > (tiers[reached + 1] as CompiledTier).threshold) reached += 1;
  return dearest[reached] ?? { input: 0n, output: 0n };
}

/** A higher tier is not always dearer: each counts the ones below it, which a shorter prompt would be in. */
function accumulate(tiers: readonly CompiledTier[]): Dearest[] {
  let [input, output] = [0n, 0n];
  return tiers.map((tier) => {
    input = largest([input, tier.input, tier.cachedRead, tier.cacheWrite5m, tier.cacheWrite1h, tier.audioInput]);
    output = largest([output, tier.output, tier.audioOutput]);
    return { input, output };
  });
}

function largest(prices: readonly bigint[]): bigint {
  return prices.reduce((most, price) => (price > most ? price : most), 0n);
}

export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
