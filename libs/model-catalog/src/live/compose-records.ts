import { addTwins } from '../add-twins';
import { groupByProvider } from '../create-catalog';
import { readRecords } from '../load-catalog';
import type { ModelRecord } from '../model-record.schema';
import type { CatalogDocument } from './catalog-document.schema';

export type ComposedRecords = {
  readonly records: readonly ModelRecord[];
  /** Those that the document brings, with their twins. */
  readonly own: readonly ModelRecord[];
};

/** The records of a catalogue: those it starts from, with the changes of a document. Throws one error that lists every problem. */
export function composeRecords(base: ReadonlyMap<string, ModelRecord>, document: CatalogDocument): ComposedRecords {
  const own = readRecords(groupByProvider(document.models, 'catalogue'));
  const removed = new Set(document.removed);
  const merged = new Map([...base, ...own]);
  for (const id of removed) merged.delete(id);
  const records = addTwins(merged).filter(({ id }) => !removed.has(id));
  const before = new Set(addTwins(base));
  return { records, own: records.filter((record) => !before.has(record)) };
}
