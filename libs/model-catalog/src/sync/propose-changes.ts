import { z } from 'zod';
import { compareSheets, type AmountChange } from '../live/diff-catalogs';
import type { LiveCatalog } from '../live/live-catalog';
import type { DatedTierPrice, ModelRecord, PriceTier } from '../model-record.schema';
import { toPriceSheet } from '../to-price-sheet';
import type { ListedModel, ListedTier, ReadList } from './listed-model';

const amount = z.strictObject({
  name: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  percent: z.number().nullable(),
});
const row = z.looseObject({ id: z.string() });

/** What a list says differently of one model. It is kept until a person decides, so its shape only grows. */
export const proposedChange = z.discriminatedUnion('kind', [
  /** `row` is null where the list states no price: then there is nothing to accept. */
  z.strictObject({ kind: z.literal('new'), model: z.string(), row: row.nullable(), amounts: z.array(amount), isImplausible: z.boolean() }),
  /** A dated price without its date. */
  z.strictObject({
    kind: z.literal('price'),
    model: z.string(),
    price: z.looseObject({}),
    amounts: z.array(amount),
    isImplausible: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('facts'), model: z.string(), facts: z.record(z.string(), z.union([z.string(), z.number()])) }),
  /** In the list no longer; accepted only where it is named. */
  z.strictObject({ kind: z.literal('missing'), model: z.string() }),
]);
export type ProposedChange = z.output<typeof proposedChange>;

/** A price that changes by so much is more likely an error of the list. */
const IMPLAUSIBLE_FACTOR = 10;
const FACTS = ['contextWindow', 'maxOutputTokens'] as const;

/** What a list says differently from a catalogue, in order of models. */
export function proposeChanges(list: ReadList, catalog: LiveCatalog): ProposedChange[] {
  const places = indexPlaces(catalog);
  const listed = new Set(list.models.map(nameOf));
  const missing = catalog
    .list()
    .filter((record) => list.complete.includes(record.provider) && record.region === null && !listed.has(nameOf(record)))
    .map(({ id }) => ({ kind: 'missing' as const, model: id }));
  const changes = [
    ...list.models.flatMap((model) => {
      const record = places.get(nameOf(model));
      return record === undefined ? [proposeModel(model)] : [...proposePrice(model, record, catalog), ...proposeFacts(model, record)];
    }),
    ...list.rows.flatMap((one) => proposeRow(one, catalog)),
    ...missing,
  ];
  return changes.sort((a, b) => (a.model === b.model ? 0 : a.model < b.model ? -1 : 1));
}

function nameOf({ provider, upstreamModel }: Pick<ModelRecord, 'provider' | 'upstreamModel'>): string {
  return `${provider} ${upstreamModel}`;
}

/** By provider and name there; records of one region have prices of their own, which such lists do not state. */
function indexPlaces(catalog: LiveCatalog): ReadonlyMap<string, ModelRecord> {
  return new Map(catalog.list('chat').flatMap((record) => (record.region === null ? [[nameOf(record), record] as const] : [])));
}

function proposeModel({ provider, upstreamModel, facts, tiers, search }: ListedModel): ProposedChange {
  const id = `${provider}/${upstreamModel.replace(/[^a-zA-Z0-9._:/-]/g, '-')}`;
  if (tiers === undefined) return { kind: 'new', model: id, row: null, amounts: [], isImplausible: false };
  const price = { version: '', validFrom: '', tiers: tiers.map((tier) => fill(tier, undefined)), ...audioless(search) };
  const vendor = upstreamModel.includes('/') ? upstreamModel.slice(0, upstreamModel.indexOf('/')) : provider;
  const { version: _version, validFrom: _validFrom, ...undated } = price;
  const own = { id, modality: 'chat', provider, upstreamModel, vendor, canonicalName: upstreamModel, ...facts, prices: [undated] };
  return { kind: 'new', model: id, row: own, amounts: compareSheets(undefined, toPriceSheet(price)), isImplausible: false };
}

const audioless = (search: string | undefined) => ({ search: search ?? null, audioInput: null, audioOutput: null });

function proposePrice({ tiers, search }: ListedModel, record: ModelRecord, catalog: LiveCatalog): ProposedChange[] {
  const sheet = catalog.priceSheet(record);
  const before = record.prices.find(({ version }) => version === sheet.version);
  if (tiers === undefined || before === undefined || !('tiers' in before)) return [];
  const price: DatedTierPrice = { ...before, tiers: mergeTiers(tiers, before.tiers), search: search ?? before.search };
  // Compared as they are written: what was filled in for a gap is not what the list says.
  const amounts = compareSheets(toPriceSheet(before), toPriceSheet(price));
  if (amounts.length === 0) return [];
  const { version: _version, validFrom: _validFrom, discountPercentage: _discount, ...undated } = price;
  return [{ kind: 'price', model: record.id, price: undated, amounts, isImplausible: amounts.some(isImplausible) }];
}

/** What the list does not state stays as it is. */
function mergeTiers(tiers: readonly ListedTier[], before: readonly PriceTier[]): PriceTier[] {
  if (tiers.length > before.length)
    return tiers.map((tier) =>
      fill(
        tier,
        before.find(({ threshold }) => threshold === tier.threshold),
      ),
    );
  return before.map((known) => {
    const listed = tiers.find(({ threshold }) => threshold === known.threshold);
    return listed === undefined ? known : fill(listed, known);
  });
}

function fill({ cachedRead, cacheWrite, cacheWrite1h, ...stated }: ListedTier, known: PriceTier | undefined): PriceTier {
  return {
    ...stated,
    cachedRead: cachedRead ?? known?.cachedRead ?? null,
    cacheWrite: cacheWrite ?? known?.cacheWrite ?? null,
    cacheWrite5m: known?.cacheWrite5m ?? null,
    cacheWrite1h: cacheWrite1h ?? known?.cacheWrite1h ?? null,
  };
}

function isImplausible({ before, after }: AmountChange): boolean {
  if (before === null || after === null) return false;
  const [was, is] = [Number(before), Number(after)];
  return was === 0 || is === 0 ? was !== is : is / was >= IMPLAUSIBLE_FACTOR || was / is >= IMPLAUSIBLE_FACTOR;
}

function proposeFacts({ facts }: ListedModel, record: ModelRecord): ProposedChange[] {
  const other = FACTS.flatMap((name) => (facts[name] === undefined || facts[name] === record[name] ? [] : [[name, facts[name]] as const]));
  return other.length === 0 ? [] : [{ kind: 'facts', model: record.id, facts: Object.fromEntries(other) }];
}

/** Rows in our own shape come with the versions of their prices. */
function proposeRow(own: { readonly id: string }, catalog: LiveCatalog): ProposedChange[] {
  const trial = catalog.try({ models: [own], removed: [], providers: [] }).catalog;
  const [record, before] = [trial.find(own.id), catalog.find(own.id)];
  if (record === undefined || JSON.stringify(record) === JSON.stringify(before)) return [];
  const amounts = compareSheets(before && catalog.priceSheet(before), trial.priceSheet(record));
  return [{ kind: 'new', model: own.id, row: own, amounts, isImplausible: amounts.some(isImplausible) }];
}
