import type { CatalogDocument } from '../live/catalog-document.schema';
import { documentOf, type LiveCatalog } from '../live/live-catalog';
import { mergeDocuments } from '../live/merge-documents';
import type { ProposedChange } from './propose-changes';

export type Acceptance = {
  /** Absent: all that can be accepted, without what is missing from the list. */
  readonly only?: readonly string[] | undefined;
  readonly takesImplausible: boolean;
  /** When new prices begin, and what they are called. */
  readonly validFrom: string;
  readonly version: string;
};

type Row = { readonly id: string } & Readonly<Record<string, unknown>>;

/** The document that accepted changes make. Throws one error that says what cannot be accepted. */
export function acceptChanges(changes: readonly ProposedChange[], catalog: LiveCatalog, acceptance: Acceptance): CatalogDocument {
  const chosen = choose(changes, acceptance);
  const rows = new Map<string, Row>();
  const rowOf = (id: string): Row => {
    const row = rows.get(id) ?? (catalog.find(id) as Row | undefined);
    if (row === undefined) throw new Error(`${id} is not in the catalogue any more; look for changes again.`);
    return row;
  };
  const date = { version: acceptance.version, validFrom: acceptance.validFrom };
  for (const change of chosen) {
    if (change.kind === 'new' && change.row !== null) rows.set(change.model, dateRow(change.row, date));
    if (change.kind === 'facts') rows.set(change.model, { ...rowOf(change.model), ...change.facts });
    if (change.kind === 'price') {
      const row = rowOf(change.model);
      rows.set(change.model, { ...row, prices: [...(row['prices'] as object[]), { ...change.price, ...date }] });
    }
  }
  const removed = chosen.filter(({ kind }) => kind === 'missing').map(({ model }) => model);
  return mergeDocuments(documentOf(catalog), { models: [...rows.values()], removed, providers: [] });
}

function choose(changes: readonly ProposedChange[], { only, takesImplausible }: Acceptance): readonly ProposedChange[] {
  const known = new Set(changes.map(({ model }) => model));
  const unknown = only?.filter((model) => !known.has(model)) ?? [];
  if (unknown.length > 0) throw new Error(`The proposal says nothing of ${unknown.join(', ')}.`);
  const chosen = changes.filter((change) =>
    only === undefined ? change.kind !== 'missing' && !isUnpriced(change) : only.includes(change.model),
  );
  const unpriced = chosen.filter(isUnpriced).map(({ model }) => model);
  if (unpriced.length > 0) throw new Error(`The list has no price of ${unpriced.join(', ')}: add such a model by catalog apply.`);
  const doubtful = chosen.filter((change) => 'isImplausible' in change && change.isImplausible).map(({ model }) => model);
  if (doubtful.length > 0 && !takesImplausible) {
    throw new Error(
      `Prices change by a factor of ten or more: ${doubtful.join(', ')}. Leave them out, or accept them with --despite-implausible.`,
    );
  }
  if (chosen.length === 0) throw new Error('There is nothing in the proposal to accept.');
  return chosen;
}

function isUnpriced(change: ProposedChange): boolean {
  return change.kind === 'new' && change.row === null;
}

/** Prices of rows in our own shape have their dates. */
function dateRow(row: Row, date: { readonly version: string; readonly validFrom: string }): Row {
  const prices = row['prices'] as readonly object[];
  return { ...row, prices: prices.map((price) => ('version' in price ? price : { ...date, ...price })) };
}
