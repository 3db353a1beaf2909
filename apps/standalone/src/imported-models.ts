import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a data directory keeps the models that were imported into it. */
export function importedModelsPath(dataDir: string): string {
  return join(dataDir, 'catalog.json');
}

/** The models of an installation's own, as JSON text; undefined when there are none. */
export function readImportedModels(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Replaces the file as a whole, so that a start at any moment reads the old or the new one. */
export function writeImportedModels(path: string, rows: readonly unknown[]): void {
  writeFileSync(`${path}.new`, `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
