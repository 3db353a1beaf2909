import type { Modality, PriceSheet } from '@weir/contracts';
import { fillSearchPrices } from './fill-search-prices';
import { indexBareNames, type BareMatches } from './index-bare-names';
import { indexRegions } from './index-regions';
import type { DatedPrice, ModelRecord } from './model-record.schema';
import { findPriceAt, isFreeSheet, toPriceSheet } from './to-price-sheet';

/** What encoders of requests need to know of a model. */
type ModelFacts = {
  readonly id: string;
  readonly maxOutputTokens: number | null;
  readonly contextWindow: number | null;
  readonly supportsDeveloperRole: boolean;
  readonly supportsReasoning: boolean;
  readonly supportsVision: boolean;
  readonly supportsTools: boolean;
  readonly supportsWebSearch: boolean;
  readonly supportsJsonObject: boolean;
  readonly supportsJsonSchema: boolean;
};

export type ModelCatalog = {
  /** By id, or by `<host>/<name>@<region>` where that host serves the model in exactly that region. */
  find(id: string): ModelRecord | undefined;
  /** By the name that the vendor gives a model, without the vendor: `gpt-4o`. */
  findBare(name: string): BareMatches;
  /** In order of id. Without a modality: all. */
  list(modality?: Modality): readonly ModelRecord[];
  /** The price in force now; always the same object for the same price, so that what is derived from it can be remembered. */
  priceSheet(record: ModelRecord): PriceSheet;
  /** A price of any date, for pricing an old usage event again: also one that is no longer listed, of a model that was removed. */
  findPriceSheet(model: Pick<ModelRecord, 'id'>, version: string): PriceSheet | undefined;
  /** Every price in force now is zero. */
  isFree(record: ModelRecord): boolean;
  facts(record: ModelRecord): ModelFacts;
  /** A model by its id, also one that was removed since: for requests that were admitted before. */
  recall(id: string): ModelRecord | undefined;
  /** Another object whenever anything in here may be different. What was derived from the catalogue is good for as long as it is the same. */
  version(): object;
};

type Priced = { readonly sheet: PriceSheet; readonly isFree: boolean };

/** What dated prices come to. One of several catalogues that follow one another: a price of an earlier one is still known. */
export type PricedSheets = WeakMap<DatedPrice, Priced>;

export function toPriced(sheet: PriceSheet): Priced {
  return { sheet, isFree: isFreeSheet(sheet) };
}

/**
 * A catalogue of records that have been checked. `now` decides which of a model's dated prices is in force. Prices that are
 * in `priced` already keep the sheets that they have there.
 */
export function createModelCatalog(
  records: readonly ModelRecord[],
  now: () => number,
  priced: PricedSheets = new WeakMap<DatedPrice, Priced>(),
): ModelCatalog {
  const sorted = [...records].sort((a, b) => (a.id < b.id ? -1 : 1));
  const byId = new Map(sorted.map((record) => [record.id, record]));
  const byRegionalName = indexRegions(sorted);
  const findBare = indexBareNames(sorted);
  const byModality = new Map<Modality, ModelRecord[]>();
  for (const record of sorted) {
    const group = byModality.get(record.modality);
    if (group === undefined) byModality.set(record.modality, [record]);
    else group.push(record);
  }
  let findSearchPrice: ReturnType<typeof fillSearchPrices> | undefined;
  for (const record of sorted) {
    if (record.prices.every((price) => priced.has(price))) continue;
    findSearchPrice ??= fillSearchPrices(sorted);
    const search = findSearchPrice(record);
    for (const price of record.prices) {
      if (!priced.has(price))
        priced.set(price, toPriced(toPriceSheet('tiers' in price ? { ...price, search: price.search ?? search } : price)));
    }
  }
  const version = {};
  const facts = new Map(sorted.map((record) => [record, toFacts(record, pricedNow(record).sheet)]));

  function pricedNow(record: ModelRecord): Priced {
    const { prices } = record;
    const price = (prices.length === 1 ? prices[0] : undefined) ?? findPriceAt(prices, now());
    const found = priced.get(price);
    if (found === undefined) throw new Error(`${record.id} is not a record of this catalogue`);
    return found;
  }

  return {
    find: (id) => byId.get(id) ?? byRegionalName.get(id),
    findBare,
    list: (modality) => (modality === undefined ? sorted : (byModality.get(modality) ?? [])),
    priceSheet: (record) => pricedNow(record).sheet,
    findPriceSheet({ id }, name) {
      const price = byId.get(id)?.prices.find((candidate) => candidate.version === name);
      return price && priced.get(price)?.sheet;
    },
    isFree: (record) => pricedNow(record).isFree,
    facts: (record) => facts.get(record) ?? toFacts(record, pricedNow(record).sheet),
    recall: (id) => byId.get(id),
    version: () => version,
  };
}

function toFacts(record: ModelRecord, sheet: PriceSheet): ModelFacts {
  const { supports } = record;
  return {
    id: record.id,
    maxOutputTokens: record.maxOutputTokens,
    contextWindow: record.contextWindow,
    supportsDeveloperRole: supports.includes('role_developer'),
    supportsReasoning: supports.includes('reasoning'),
    supportsVision: supports.includes('vision'),
    supportsTools: supports.includes('tool_calling'),
    // A search that no one could charge for is not offered.
    supportsWebSearch: supports.includes('web_search') && (isFreeSheet(sheet) || (sheet.kind === 'chat' && sheet.search !== undefined)),
    supportsJsonObject: supports.includes('output_json_object'),
    supportsJsonSchema: supports.includes('output_json_schema'),
  };
}
