import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a data directory keeps the models that were imported into it. */
export function importedModelsPath(dataDir: string): string {
  return join(dataDir, 'catalog.json');
}

/** The models of an installation's own, as JSON text; undefined when there are none. */
export function readImportedModels(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
