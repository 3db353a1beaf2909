import { isDeepStrictEqual } from 'node:util';
import { addTwins } from '../add-twins';
import { CatalogUnreadable } from '../catalog-unreadable';
import { readBaseRecords } from '../create-catalog';
import { createModelCatalog, type ModelCatalog, type PricedSheets } from '../model-catalog';
import type { DatedPrice, ModelRecord } from '../model-record.schema';
import { catalogState, EMPTY_DOCUMENT, type ArchivedSheet, type CatalogDocument, type CatalogState } from './catalog-document.schema';
import { composeRecords, type ComposedRecords } from './compose-records';
import { PriceArchive } from './price-archive';

type ProviderRows = CatalogDocument['providers'];

export type LiveCatalogParts = {
  /** Models that are there before any version: JSON text, as of `createCatalog`. */
  readonly imported?: string | undefined;
  readonly now?: () => number;
  /** Takes the rows of providers, and throws where it cannot; called last, so that a version is taken whole or not at all. */
  readonly takeProviders?: (rows: ProviderRows) => void;
};

/** What a document would make of a catalogue: looked at, and not in force. */
export type CatalogTrial = {
  readonly catalog: ModelCatalog;
  readonly document: CatalogDocument;
  /** What has to be kept with it. */
  readonly sheets: readonly ArchivedSheet[];
};

/**
 * A catalogue whose contents are replaced while it is used. Who has it keeps it; what was derived from it is derived anew when
 * its `version` is another. A record from before still has the price that it had.
 */
export type LiveCatalog = ModelCatalog & {
  /** Puts a version in force, as a whole. Throws `CatalogUnreadable`, and changes nothing then. */
  replace(state: unknown): void;
  /** The version in force; undefined: the catalogue that ships with the gateway. */
  state(): CatalogState | undefined;
  /** Throws `CatalogUnreadable` for a document that could not be put in force. */
  try(document: CatalogDocument): CatalogTrial;
  /** Once a price that was announced has come into force, everything is another version. To be called often. */
  refresh(): void;
};

type Content = ComposedRecords & {
  readonly catalog: ModelCatalog;
  readonly archive: PriceArchive;
  readonly state: CatalogState | undefined;
};

/** The catalogue that ships with the gateway, until it is replaced. */
export function createLiveCatalog({ imported, now = Date.now, takeProviders }: LiveCatalogParts = {}): LiveCatalog {
  const base = readBaseRecords(imported);
  const priced: PricedSheets = new WeakMap();
  const shipped = createModelCatalog(addTwins(base), now, priced);
  const withdrawn = new Map<string, ModelRecord>();
  let content: Content = { records: shipped.list(), own: [], catalog: shipped, archive: new PriceArchive([]), state: undefined };
  let { catalog } = content;
  let version = catalog.version();
  let nextPriceAtMs = findNextPrice(content.records, now());

  const compose = (document: CatalogDocument, archive: PriceArchive): ComposedRecords & { readonly catalog: ModelCatalog } => {
    const composed = listProblems(() => composeRecords(base, document));
    const problems = archive.recall(composed.own, priced);
    if (problems.length > 0) throw new CatalogUnreadable(problems);
    return { ...composed, catalog: createModelCatalog(composed.records, now, priced) };
  };

  const findSheet = ({ id }: Pick<ModelRecord, 'id'>, name: string) =>
    content.archive.find(id, name) ?? catalog.findPriceSheet({ id }, name) ?? shipped.findPriceSheet({ id }, name);

  const putInForce = (next: Content): void => {
    const kept = new Set(next.records.map(({ id }) => id));
    for (const record of content.records) if (!kept.has(record.id)) withdrawn.set(record.id, record);
    content = next;
    catalog = next.catalog;
    version = catalog.version();
    nextPriceAtMs = findNextPrice(next.records, now());
  };

  return {
    find: (id) => catalog.find(id),
    findBare: (name) => catalog.findBare(name),
    list: (modality) => catalog.list(modality),
    priceSheet: (record) => catalog.priceSheet(record),
    findPriceSheet: findSheet,
    isFree: (record) => catalog.isFree(record),
    facts: (record) => catalog.facts(record),
    recall: (id) => catalog.find(id) ?? withdrawn.get(id) ?? shipped.find(id),
    version: () => version,
    replace: (given) => {
      const state = readState(given);
      if (isDeepStrictEqual(state, content.state)) return;
      const archive = new PriceArchive(state.sheets);
      const composed = compose(state.document, archive);
      if (takeProviders !== undefined) listProblems(() => takeProviders(state.document.providers));
      putInForce({ ...composed, archive, state });
    },
    state: () => content.state,
    try: (document) => {
      const composed = compose(document, content.archive);
      return { catalog: composed.catalog, document, sheets: content.archive.with(composed.own, composed.catalog) };
    },
    refresh: () => {
      if (now() < nextPriceAtMs) return;
      putInForce({ ...content, catalog: createModelCatalog(content.records, now, priced) });
    },
  };
}

/** The document in force. */
export function documentOf(catalog: Pick<LiveCatalog, 'state'>): CatalogDocument {
  return catalog.state()?.document ?? EMPTY_DOCUMENT;
}

function readState(given: unknown): CatalogState {
  const parsed = catalogState.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new CatalogUnreadable(parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'catalogue'}: ${message}`));
}

/** Whatever could not be read is one kind of failure: the version stays out of force. */
function listProblems<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof CatalogUnreadable) throw error;
    throw new CatalogUnreadable([error instanceof Error ? error.message : String(error)]);
  }
}

/** When the next of all prices begins that have not begun. */
function findNextPrice(records: readonly ModelRecord[], nowMs: number): number {
  let nextMs = Infinity;
  const look = ({ validFrom }: DatedPrice): void => {
    const beginsAtMs = Date.parse(validFrom);
    if (beginsAtMs > nowMs && beginsAtMs < nextMs) nextMs = beginsAtMs;
  };
  for (const { prices } of records) if (prices.length > 1) prices.forEach(look);
  return nextMs;
}
