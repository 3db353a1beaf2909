import { isDeepStrictEqual } from 'node:util';
import type { PriceSheet } from '@weir/contracts';
import type { ModelCatalog } from '../model-catalog';
import type { DatedPrice, ModelRecord } from '../model-record.schema';
import type { CatalogDocument } from './catalog-document.schema';

export type MemberChange = { readonly name: string; readonly before: unknown; readonly after: unknown };

/** One amount of a price, before and after. `percent` is null where there is nothing to compare with. */
export type AmountChange = {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly percent: number | null;
};

export type PriceChange = {
  readonly version: string;
  readonly validFrom: string;
  readonly kind: 'added' | 'withdrawn';
  /** Against the price that it follows; all of them where it follows none. */
  readonly amounts: readonly AmountChange[];
};

export type RowChange = {
  readonly id: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly members: readonly MemberChange[];
  readonly prices: readonly PriceChange[];
};

export type CatalogDiff = { readonly models: readonly RowChange[]; readonly providers: readonly RowChange[] };

type Side = { readonly catalog: Pick<ModelCatalog, 'list' | 'find' | 'findPriceSheet'>; readonly providers: CatalogDocument['providers'] };

/** What is different between two catalogues, model by model in order of id. */
export function diffCatalogs({ before, after }: { readonly before: Side; readonly after: Side }): CatalogDiff {
  const ids = new Set([...before.catalog.list(), ...after.catalog.list()].map(({ id }) => id));
  const models = [...ids].sort().flatMap((id) => {
    const [was, is] = [before.catalog.find(id), after.catalog.find(id)];
    if (was === is) return [];
    if (was === undefined) return is === undefined ? [] : [addModel(is, after)];
    if (is === undefined) return [{ id, kind: 'removed' as const, members: [], prices: [] }];
    const change = {
      id,
      kind: 'changed' as const,
      members: diffMembers(was, is, ['prices']),
      prices: diffPrices(was, is, { before, after }),
    };
    return change.members.length + change.prices.length === 0 ? [] : [change];
  });
  return { models, providers: diffProviders(before.providers, after.providers) };
}

export function isEmptyDiff({ models, providers }: CatalogDiff): boolean {
  return models.length + providers.length === 0;
}

function addModel(record: ModelRecord, side: Side): RowChange {
  const prices = record.prices.map((price) => describePrice(price, undefined, side.catalog.findPriceSheet(record, price.version)));
  return { id: record.id, kind: 'added', members: [], prices };
}

function diffPrices(was: ModelRecord, is: ModelRecord, { before, after }: { before: Side; after: Side }): PriceChange[] {
  const [had, has] = [was, is].map(({ prices }) => new Set(prices.map(({ version }) => version)));
  const added = is.prices.flatMap((price, index) => {
    if (had?.has(price.version) === true) return [];
    const former = is.prices[index - 1] ?? was.prices.at(-1);
    return [describePrice(price, former && findSheet(former, [before, after], is), after.catalog.findPriceSheet(is, price.version))];
  });
  const withdrawn = was.prices.filter(({ version }) => has?.has(version) !== true);
  return [...added, ...withdrawn.map(({ version, validFrom }) => ({ version, validFrom, kind: 'withdrawn' as const, amounts: [] }))];
}

function findSheet({ version }: DatedPrice, sides: readonly Side[], model: ModelRecord): PriceSheet | undefined {
  return sides.map(({ catalog }) => catalog.findPriceSheet(model, version)).find((sheet) => sheet !== undefined);
}

function describePrice({ version, validFrom }: DatedPrice, former: PriceSheet | undefined, sheet: PriceSheet | undefined): PriceChange {
  return { version, validFrom, kind: 'added', amounts: compareSheets(former, sheet) };
}

/** All amounts that are different between two sheets, by what each is for. */
export function compareSheets(former: PriceSheet | undefined, sheet: PriceSheet | undefined): AmountChange[] {
  const [before, after] = [listAmounts(former), listAmounts(sheet)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name) ?? null, after.get(name) ?? null];
    if (was !== null && is !== null && Number(was) === Number(is)) return [];
    return [{ name, before: was, after: is, percent: percentOf(was, is) }];
  });
}

function percentOf(was: string | null, is: string | null): number | null {
  if (was === null || is === null || Number(was) === 0) return null;
  return Math.round((Number(is) / Number(was) - 1) * 10_000) / 100;
}

function listAmounts(sheet: PriceSheet | undefined): Map<string, string> {
  if (sheet === undefined) return new Map();
  if (sheet.kind === 'units') return new Map(Object.entries(sheet.units));
  const amounts = sheet.tiers.flatMap(({ threshold, ...perToken }) =>
    Object.entries(perToken).flatMap(([name, value]) =>
      value === undefined ? [] : [[threshold === 0 ? name : `${name} above ${threshold} tokens`, value] as const],
    ),
  );
  return new Map(sheet.search === undefined ? amounts : [...amounts, ['search', sheet.search] as const]);
}

function diffMembers(was: object, is: object, except: readonly string[]): MemberChange[] {
  const [before, after] = [new Map<string, unknown>(Object.entries(was)), new Map<string, unknown>(Object.entries(is))];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => !except.includes(name) && !isDeepStrictEqual(before.get(name), after.get(name)))
    .map((name) => ({ name, before: before.get(name) ?? null, after: after.get(name) ?? null }));
}

function diffProviders(was: CatalogDocument['providers'], is: CatalogDocument['providers']): RowChange[] {
  const [before, after] = [was, is].map((rows) => new Map(rows.map((row) => [row.id, row])));
  return [...new Set([...was, ...is].map(({ id }) => id))].sort().flatMap((id): RowChange[] => {
    const [one, other] = [before?.get(id), after?.get(id)];
    if (isDeepStrictEqual(one, other)) return [];
    const kind = one === undefined ? 'added' : other === undefined ? 'removed' : 'changed';
    return [{ id, kind, members: kind === 'changed' ? diffMembers(one ?? {}, other ?? {}, []) : [], prices: [] }];
  });
}
