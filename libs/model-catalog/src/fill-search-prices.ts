import type { ModelRecord } from './model-record.schema';
import { isFreeSheet, toPriceSheet } from './to-price-sheet';

/**
 * What a web search costs at models that can search and whose provider states no price for it: what one costs at the same
 * model without a date or elsewhere at this provider, otherwise what one mostly costs there. Null where the provider
 * states none at all: such a model is not offered with search.
 */
export function fillSearchPrices(records: readonly ModelRecord[]): (record: ModelRecord) => string | null {
  const stated = records.flatMap((record) => {
    const search = findSearchPrice(record);
    return search === null ? [] : [{ record, search }];
  });
  const usual = new Map<string, string>();
  for (const provider of new Set(stated.map(({ record }) => record.provider))) {
    usual.set(provider, findUsual(stated.filter(({ record }) => record.provider === provider).map(({ search }) => search)));
  }
  return (record) => {
    if (record.modality !== 'chat' || !record.supports.includes('web_search') || isFree(record)) return null;
    const isSame = (other: ModelRecord): boolean =>
      other.provider === record.provider && (other.canonicalName === record.canonicalName || record.id.startsWith(`${other.id}-20`));
    return stated.find(({ record: other }) => isSame(other))?.search ?? usual.get(record.provider) ?? null;
  };
}

function findSearchPrice({ prices }: ModelRecord): string | null {
  const newest = prices.at(-1);
  return newest !== undefined && 'tiers' in newest ? newest.search : null;
}

function isFree({ prices }: ModelRecord): boolean {
  return prices.every((price) => isFreeSheet(toPriceSheet(price)));
}

/** The most frequent one; of several, the dearest. */
function findUsual(prices: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const price of prices) counts.set(price, (counts.get(price) ?? 0) + 1);
  return [...counts].sort(([a, countA], [b, countB]) => countB - countA || Number(b) - Number(a))[0]?.[0] ?? '0';
}
