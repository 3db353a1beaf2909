import type { PriceSheet } from '@weir/contracts';
import { isDeepStrictEqual } from 'node:util';
import type { ModelCatalog, PricedSheets } from '../model-catalog';
import { toPriced } from '../model-catalog';
import type { DatedPrice, ModelRecord } from '../model-record.schema';
import { toPriceSheet } from '../to-price-sheet';
import type { ArchivedSheet } from './catalog-document.schema';

/** Every price that an installation's own models ever had, by model and version. A version names one price for ever. */
export class PriceArchive {
  private readonly byModel = new Map<string, Map<string, PriceSheet>>();

  constructor(readonly sheets: readonly ArchivedSheet[]) {
    for (const { model, sheet } of sheets) {
      const versions = this.byModel.get(model) ?? new Map<string, PriceSheet>();
      versions.set(sheet.version, sheet);
      this.byModel.set(model, versions);
    }
  }

  find(model: string, version: string): PriceSheet | undefined {
    return this.byModel.get(model)?.get(version);
  }

  /** Gives prices the sheets that they had before, and returns what is wrong with those that are different by now. */
  recall(records: readonly ModelRecord[], priced: PricedSheets): string[] {
    const problems: string[] = [];
    for (const record of records) {
      for (const price of record.prices) {
        const sheet = this.find(record.id, price.version);
        if (sheet === undefined) continue;
        if (isSheetOf(price, sheet)) priced.set(price, toPriced(sheet));
        else problems.push(sayRenamed(record.id, price.version));
      }
    }
    return problems;
  }

  /** With all prices of these records as well. */
  with(records: readonly ModelRecord[], catalog: Pick<ModelCatalog, 'findPriceSheet'>): ArchivedSheet[] {
    const added = records.flatMap(({ id, prices }) =>
      prices.flatMap(({ version }) => {
        const sheet = this.find(id, version) === undefined ? catalog.findPriceSheet({ id }, version) : undefined;
        return sheet === undefined ? [] : [{ model: id, sheet }];
      }),
    );
    return added.length === 0 ? [...this.sheets] : [...this.sheets, ...added];
  }
}

export function sayRenamed(model: string, version: string): string {
  return `${model}: the version ${version} has named another price; give the changed price a version of its own`;
}

/** Whether a dated price says what the sheet does; a search that it leaves open was filled in at that time. */
function isSheetOf(price: DatedPrice, sheet: PriceSheet): boolean {
  if ('units' in price || sheet.kind !== 'chat') return isDeepStrictEqual(toPriceSheet(price), sheet);
  return isDeepStrictEqual(toPriceSheet({ ...price, search: price.search ?? sheet.search ?? null }), sheet);
}
