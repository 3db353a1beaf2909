import type { PriceSheet } from '@weir/contracts';
import type { DatedPrice, PriceTier } from './model-record.schema';

type ChargedTier = { readonly [Name in keyof PriceTier]: NonNullable<PriceTier[Name]> };

/**
 * A tier without gaps: where a provider states no price for cached tokens they cost what fresh ones cost, and a longer
 * cache lifetime costs what the next shorter one does.
 */
export function fillTier(tier: PriceTier): ChargedTier {
  const cacheWrite = tier.cacheWrite ?? tier.input;
  const cacheWrite5m = tier.cacheWrite5m ?? cacheWrite;
  return {
    threshold: tier.threshold,
    input: tier.input,
    output: tier.output,
    cachedRead: tier.cachedRead ?? tier.input,
    cacheWrite,
    cacheWrite5m,
    cacheWrite1h: tier.cacheWrite1h ?? cacheWrite5m,
  };
}

/** A dated price in the shape that travels in the passport. */
export function toPriceSheet(price: DatedPrice): PriceSheet {
  if ('units' in price) return { kind: 'units', version: price.version, units: price.units };
  const audio = {
    ...(price.audioInput === null ? {} : { audioInput: price.audioInput }),
    ...(price.audioOutput === null ? {} : { audioOutput: price.audioOutput }),
  };
  const tiers = price.tiers.map((tier) => {
    const { cacheWrite: _cacheWrite, ...charged } = fillTier(tier);
    return { ...charged, ...audio };
  });
  const sheet = { kind: 'chat' as const, version: price.version, tiers };
  const { search, searchMedium, searchHigh } = price;
  return {
    ...sheet,
    ...(search === null ? {} : { search }),
    ...(searchMedium === undefined ? {} : { searchMedium }),
    ...(searchHigh === undefined ? {} : { searchHigh }),
  };
}

const ZERO = /^0(\.0+)?$/;

/** Whether every price of the sheet is zero. */
export function isFreeSheet(sheet: PriceSheet): boolean {
  if (sheet.kind === 'units') return Object.values(sheet.units).every((price) => ZERO.test(price));
  return (
    [sheet.search, sheet.searchMedium, sheet.searchHigh].every((price = '0') => ZERO.test(price)) &&
    sheet.tiers.every((tier) => {
      const { threshold: _threshold, ...prices } = tier;
      return Object.values(prices).every((price) => price === undefined || ZERO.test(price));
    })
  );
}

/** The price in force at a moment: the newest that has begun, else the oldest. */
export function findPriceAt(prices: readonly DatedPrice[], atMs: number): DatedPrice {
  const begun = prices.findLast((price) => Date.parse(price.validFrom) <= atMs) ?? prices[0];
  if (begun === undefined) throw new Error('a model record has no price');
  return begun;
}
