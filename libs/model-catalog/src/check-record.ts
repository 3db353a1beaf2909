import type { DatedPrice, DatedTierPrice, DatedUnitPrice, ModelRecord } from './model-record.schema';
import { isImageVariant, PER_SEARCH_MAX_USD, PER_TOKEN_MAX_USD, UNITS_OF_MODALITY } from './unit-names';

/** Checks that a schema cannot express. Returns one sentence per problem. */
export function checkRecord(record: ModelRecord): string[] {
  const problems: string[] = [];
  checkDates(record.prices, problems);
  for (const price of record.prices) {
    if ('tiers' in price) {
      if (record.modality !== 'chat') problems.push(`a ${record.modality} model is priced by units, not by tiers`);
      else checkTiers(price, problems);
    } else if (record.modality === 'chat') problems.push('a chat model is priced by tiers, not by units');
    else checkUnits(price, UNITS_OF_MODALITY[record.modality], problems);
  }
  return problems;
}

function checkDates(prices: readonly DatedPrice[], problems: string[]): void {
  const versions = new Set(prices.map((price) => price.version));
  if (versions.size !== prices.length) problems.push('two prices have the same version');
  prices.forEach((price, index) => {
    const before = prices[index - 1];
    if (before !== undefined && before.validFrom >= price.validFrom) problems.push('prices are not in order of validFrom');
  });
}

function checkTiers(price: DatedTierPrice, problems: string[]): void {
  price.tiers.forEach((tier, index) => {
    const before = price.tiers[index - 1];
    if (before === undefined ? tier.threshold !== 0 : tier.threshold <= before.threshold) {
      problems.push('tiers do not start at 0 and rise');
    }
    const { threshold: _threshold, ...perToken } = tier;
    for (const [name, value] of Object.entries(perToken)) problems.push(...tooHigh(name, value, PER_TOKEN_MAX_USD));
  });
  problems.push(
    ...tooHigh('search', price.search, PER_SEARCH_MAX_USD),
    ...tooHigh('searchMedium', price.searchMedium ?? null, PER_SEARCH_MAX_USD),
    ...tooHigh('searchHigh', price.searchHigh ?? null, PER_SEARCH_MAX_USD),
    ...tooHigh('audioInput', price.audioInput, PER_TOKEN_MAX_USD),
    ...tooHigh('audioOutput', price.audioOutput, PER_TOKEN_MAX_USD),
  );
}

function checkUnits(price: DatedUnitPrice, known: (typeof UNITS_OF_MODALITY)['image'], problems: string[]): void {
  const units = Object.entries(price.units);
  if (units.length === 0) problems.push('no unit has a price');
  for (const [unit, value] of units) {
    const row = known[isImageVariant(unit) ? 'image' : unit];
    if (row === undefined) problems.push(`models of this modality are not priced by ${unit}`);
    else problems.push(...tooHigh(unit, value, row.maxUsd));
  }
}

/** Guards against a price per thousand or million in the place of a price per one, which would empty every balance at once. */
function tooHigh(name: string, value: string | null, maxUsd: number): string[] {
  return value !== null && Number(value) > maxUsd ? [`${name} of ${value} USD is more than ${maxUsd} USD each`] : [];
}
