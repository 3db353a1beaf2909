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
  /** A price of any date, for pricing an old usage event again. */
  findPriceSheet(record: ModelRecord, version: string): PriceSheet | undefined;
  /** Every price in force now is zero. */
  isFree(record: ModelRecord): boolean;
  facts(record: ModelRecord): ModelFacts;
};

type Priced = { readonly sheet: PriceSheet; readonly isFree: boolean };

/** A catalogue of records that have been checked. `now` decides which of a model's dated prices is in force. */
export function createModelCatalog(records: readonly ModelRecord[], now: () => number): ModelCatalog {
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
  const priced = new Map<DatedPrice, Priced>();
  const findSearchPrice = fillSearchPrices(sorted);
  for (const record of sorted) {
    const search = findSearchPrice(record);
    for (const price of record.prices) {
      const sheet = toPriceSheet('tiers' in price ? { ...price, search: price.search ?? search } : price);
      priced.set(price, { sheet, isFree: isFreeSheet(sheet) });
    }
  }
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
    findPriceSheet(record, version) {
      const price = record.prices.find((candidate) => candidate.version === version);
      return price && priced.get(price)?.sheet;
    },
    isFree: (record) => pricedNow(record).isFree,
    facts: (record) => facts.get(record) ?? toFacts(record, pricedNow(record).sheet),
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
