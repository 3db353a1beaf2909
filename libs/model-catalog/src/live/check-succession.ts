import { isDeepStrictEqual } from 'node:util';
import type { PriceSheet } from '@weir/contracts';
import type { ModelCatalog } from '../model-catalog';
import type { ModelRecord } from '../model-record.schema';
import { sayRenamed } from './price-archive';

type Succession = {
  readonly before: Pick<ModelCatalog, 'find' | 'findPriceSheet'>;
  readonly after: ModelCatalog;
  /** Of a rollback: a price that was in force may be listed no longer; its sheet is kept all the same. */
  readonly mayDropPrices: boolean;
  readonly nowMs: number;
};

/**
 * Whether one catalogue may follow another: a version names one price for ever, and a price that usage events may name stays
 * where it stands. Returns one sentence per problem.
 */
export function checkSuccession({ before, after, mayDropPrices, nowMs }: Succession): string[] {
  return after.list().flatMap((record) => {
    const problems = record.prices.flatMap(({ version }) => {
      const [was, is] = [before.findPriceSheet(record, version), after.findPriceSheet(record, version)];
      return was === undefined || is === undefined || isSame(was, is) ? [] : [sayRenamed(record.id, version)];
    });
    const former = before.find(record.id);
    return mayDropPrices || former === undefined ? problems : [...problems, ...findLost(former, record, nowMs)];
  });
}

function findLost(former: ModelRecord, record: ModelRecord, nowMs: number): string[] {
  const kept = new Set(record.prices.map(({ version }) => version));
  // The oldest was in force even before it began: there was no other.
  const begun = former.prices.filter(({ validFrom }, index) => index === 0 || Date.parse(validFrom) <= nowMs);
  return begun
    .filter(({ version }) => !kept.has(version))
    .map(({ version }) => `${record.id}: the price ${version}, which usage events may name, is gone; append to the prices there are`);
}

/** A search that no one could charge for before was never made, so a price for it changes nothing that was charged. */
function isSame(was: PriceSheet, is: PriceSheet): boolean {
  if (was.kind === 'chat' && is.kind === 'chat' && was.search === undefined && is.search !== undefined) {
    const { search: _search, ...rest } = is;
    return isDeepStrictEqual(was, rest);
  }
  return isDeepStrictEqual(was, is);
}
