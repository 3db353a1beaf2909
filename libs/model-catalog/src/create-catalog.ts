import { readBuiltInRows } from './built-in-catalog';
import { loadCatalogRows, readRecords, type CatalogRows } from './load-catalog';
import type { ModelCatalog } from './model-catalog';
import type { ModelRecord } from './model-record.schema';

type NamedRow = { readonly id?: unknown; readonly provider?: unknown; readonly prices?: unknown };

/**
 * The catalogue that ships with the gateway, and models of an installation's own: `imported` is an array of model rows as
 * JSON text. A row of a known id takes that model's place; it has to keep the prices there were, since usage events name
 * them. Throws one error that lists every problem.
 */
export function createCatalog(imported: string | undefined, now: () => number = Date.now): ModelCatalog {
  const problems: string[] = [];
  return loadCatalogRows(listFiles(imported, problems), now, problems);
}

/** Records are never changed, so those of the release are read once for all catalogues of a process. */
let shipped: ReadonlyMap<string, ModelRecord> | undefined;

/** The same as records by their ids, without twins: what a live catalogue starts from. */
export function readBaseRecords(imported: string | undefined): ReadonlyMap<string, ModelRecord> {
  if (imported === undefined) return (shipped ??= readRecords(readBuiltInRows()));
  const problems: string[] = [];
  return readRecords(listFiles(imported, problems), problems);
}

function listFiles(imported: string | undefined, problems: string[]): CatalogRows[] {
  const builtIn = readBuiltInRows();
  if (imported === undefined) return builtIn;
  const rows = parseRows(imported);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const kept = builtIn.map(({ name, rows: all }) => ({
    name,
    rows: (all as NamedRow[]).filter((row) => {
      const successor = byId.get(row.id);
      if (successor !== undefined) problems.push(...findLostPrices(row, successor));
      return successor === undefined;
    }),
  }));
  return [...kept, ...groupByProvider(rows)];
}

function parseRows(text: string): NamedRow[] {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch (cause) {
    throw new Error('The imported models are not JSON.', { cause });
  }
  if (!Array.isArray(rows)) throw new Error('The imported models are not an array of models.');
  return rows.map((row: unknown) => (typeof row === 'object' && row !== null ? row : {}));
}

export function groupByProvider(rows: readonly NamedRow[], name = 'imported'): CatalogRows[] {
  const providers = [...new Set(rows.map(({ provider }) => String(provider)))];
  return providers.map((provider) => ({ name, provider, rows: rows.filter((row) => String(row.provider) === provider) }));
}

function findLostPrices(before: NamedRow, after: NamedRow): string[] {
  const kept = new Set(listVersions(after));
  return listVersions(before)
    .filter((version) => !kept.has(version))
    .map((version) => `${String(after.id)}: the price ${version}, which usage events may name, is gone; append to the prices there are`);
}

function listVersions({ prices }: NamedRow): string[] {
  return Array.isArray(prices) ? prices.map((price: { version?: unknown } | null) => String(price?.version)) : [];
}
