import { readBuiltInRows } from './built-in-catalog';
import { loadCatalogRows, type CatalogRows } from './load-catalog';
import type { ModelCatalog } from './model-catalog';

type NamedRow = { readonly id?: unknown; readonly provider?: unknown; readonly prices?: unknown };

/**
 * The catalogue that ships with the gateway, and models of an installation's own: `imported` is an array of model rows as
 * JSON text. A row of a known id takes that model's place; it has to keep the prices there were, since usage events name
 * them. Throws one error that lists every problem.
 */
export function createCatalog(imported: string | undefined, now: () => number = Date.now): ModelCatalog {
  const builtIn = readBuiltInRows();
  if (imported === undefined) return loadCatalogRows(builtIn, now);
  const rows = parseRows(imported);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const problems: string[] = [];
  const kept = builtIn.map(({ name, rows: all }) => ({
    name,
    rows: (all as NamedRow[]).filter((row) => {
      const successor = byId.get(row.id);
      if (successor !== undefined) problems.push(...findLostPrices(row, successor));
      return successor === undefined;
    }),
  }));
  return loadCatalogRows([...kept, ...groupByProvider(rows)], now, problems);
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

function groupByProvider(rows: readonly NamedRow[]): CatalogRows[] {
  const providers = [...new Set(rows.map(({ provider }) => String(provider)))];
  return providers.map((provider) => ({ name: 'imported', provider, rows: rows.filter((row) => String(row.provider) === provider) }));
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
