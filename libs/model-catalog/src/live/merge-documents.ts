import type { CatalogDocument } from './catalog-document.schema';

/** A document with the rows of another in the place of its own of the same ids. A model that the other brings is not removed any more. */
export function mergeDocuments(document: CatalogDocument, changes: CatalogDocument): CatalogDocument {
  const brought = new Set(changes.models.map(({ id }) => id));
  const removed = [...document.removed.filter((id) => !brought.has(id)), ...changes.removed];
  const gone = new Set(changes.removed);
  return {
    models: mergeRows(document.models, changes.models).filter(({ id }) => !gone.has(id)),
    removed: [...new Set(removed)].sort(),
    providers: mergeRows(document.providers, changes.providers),
  };
}

function mergeRows<Row extends { readonly id: string }>(rows: readonly Row[], changes: readonly Row[]): Row[] {
  return [...new Map([...rows, ...changes].map((row) => [row.id, row])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
