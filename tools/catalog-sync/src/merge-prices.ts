import { isDeepStrictEqual } from 'node:util';
import type { PriceRow, UndatedPrice } from './to-prices';

/**
 * The known prices of a model, with the incoming one appended if it differs from the latest. What was charged once stays
 * on record under its version. A second change on the same day replaces the first, because the two cannot be distinguished by date.
 */
export function mergePrices(known: readonly PriceRow[], incoming: UndatedPrice, asOf: string): PriceRow[] {
  const latest = known[known.length - 1];
  if (latest !== undefined) {
    const { version: _version, validFrom: _validFrom, ...undated } = latest;
    if (isDeepStrictEqual(undated, incoming)) return [...known];
  }
  const kept = known.filter((price) => price.validFrom !== asOf);
  const price = { version: asOf, validFrom: asOf, ...incoming } as PriceRow;
  return [...kept, price];
}
