import { createPatternMatcher } from '@weir/model-catalog';
import { parseDecimal } from '@weir/pricing';

/** An organization's own prices as what they are to ours: by models, each from a UTC day on. */
export type PriceListEntry = {
  /** Patterns as in access lists. */
  readonly models: readonly string[];
  readonly steps: readonly PriceStep[];
};

/** From a day on, either a percentage on top (below zero: off) or a factor. */
export type PriceStep = { readonly from: string; readonly percent?: string | undefined; readonly factor?: string | undefined };

/** Decimal places of a factor. */
export const FACTOR_PLACES = 6;
/** Decimal places of a charged price: a pico-dollar times a factor, which is never rounded. */
export const CHARGED_PLACES = 12 + FACTOR_PLACES;
const PERCENT_PLACES = FACTOR_PLACES - 2;
const ONE = 10n ** BigInt(FACTOR_PLACES);

export type PriceList = {
  /** Whether it changes any price at all. */
  readonly isEmpty: boolean;
  /** What ours is multiplied by for a model on a UTC day, as an integer count of 10^-6; once where no entry fits. */
  factorOf(model: string, day: string): bigint;
  /** Whether any price changes after the first of these UTC days and up to the last. */
  changesWithin(firstDay: string, lastDay: string): boolean;
};

/** The first entry that has a model decides about it; before the first day of that entry the price is ours. */
export function createPriceList(entries: readonly PriceListEntry[]): PriceList {
  const compiled = entries.map(({ models, steps }) => ({
    matches: createPatternMatcher(models),
    steps: [...steps].sort((a, b) => (a.from < b.from ? 1 : -1)).map((step) => ({ from: step.from, factor: readFactor(step) })),
  }));
  const byModel = new Map<string, (typeof compiled)[number] | null>();
  const entryOf = (model: string): (typeof compiled)[number] | null => {
    const known = byModel.get(model);
    if (known !== undefined) return known;
    const found = compiled.find(({ matches }) => matches(model)) ?? null;
    byModel.set(model, found);
    return found;
  };
  const factorOf = (model: string, day: string): bigint => entryOf(model)?.steps.find(({ from }) => from <= day)?.factor ?? ONE;
  return {
    isEmpty: entries.length === 0,
    factorOf,
    changesWithin: (firstDay, lastDay) => compiled.some(({ steps }) => steps.some(({ from }) => from > firstDay && from <= lastDay)),
  };
}

function readFactor({ percent, factor }: PriceStep): bigint {
  if (factor !== undefined) return parseDecimal(factor, FACTOR_PLACES);
  return ONE + parseDecimal(percent ?? '0', PERCENT_PLACES);
}

/** Prices as they are, where there is no list. */
export const OUR_PRICES: PriceList = createPriceList([]);
