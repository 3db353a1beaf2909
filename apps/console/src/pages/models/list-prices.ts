import { readPrice, shift, writeUsd } from '../../format/decimals';
import { formatCount } from '../../format/numbers';
import type { Model } from './filter-models';

export type PriceText = { readonly name: string; readonly amount: string; readonly per: string };

/** Prices of prompts of a length; `from` is null where there is one tier only. */
export type PriceTier = { readonly from: string | null; readonly prices: readonly PriceText[] };

type ChatTier = Extract<Model['pricing'], readonly unknown[]>[number];

const MILLION = 6;
const PER_TOKENS = 'M tokens';

const CHAT_PRICES: readonly (readonly [name: string, read: (tier: ChatTier) => number])[] = [
  ['Input', (tier) => tier.input_price],
  ['Output', (tier) => tier.output_price],
  ['Cached input', (tier) => tier.cached_price],
  ['Cache write, 5 minutes', (tier) => tier.caching_5m_price],
  ['Cache write, 1 hour', (tier) => tier.caching_1h_price],
];

/** All prices of a model, exactly, for the quantities that vendors state them for. */
export function listPrices({ pricing, pricing_units: counted = {} }: Pick<Model, 'pricing' | 'pricing_units'>): PriceTier[] {
  if (!Array.isArray(pricing))
    return [{ from: null, prices: Object.entries(pricing).map(([name, price]) => writeUnit(name, price, counted[name])) }];
  return pricing.map((tier, index) => ({
    from: pricing.length === 1 ? null : describeTier(tier, pricing[index + 1]),
    prices: CHAT_PRICES.map(([name, read]) => ({ name, amount: perMillion(read(tier)), per: PER_TOKENS })),
  }));
}

/** In a table: the price of a million, of the first tier. */
export function perMillion(price: number): string {
  return writeUsd(shift(readPrice(price), MILLION));
}

function describeTier({ prompt_tokens_threshold: above }: ChatTier, next: ChatTier | undefined): string {
  if (next !== undefined && above === 0) return `Prompts up to ${formatCount(next.prompt_tokens_threshold)} tokens`;
  return `Prompts above ${formatCount(above)} tokens`;
}

function writeUnit(key: string, price: number, counts: string | undefined): PriceText {
  const name = key.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
  if (counts !== undefined) return { name, amount: writeUsd(readPrice(price)), per: counts };
  if (key.endsWith('_second')) return { name, amount: writeUsd(readPrice(price)), per: 'second' };
  return { name, amount: perMillion(price), per: key.endsWith('_character') ? 'M characters' : PER_TOKENS };
}
