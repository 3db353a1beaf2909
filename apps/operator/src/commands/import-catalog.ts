import { createCatalog } from '@weir/model-catalog';
import { importedModelsPath, readImportedModels, writeImportedModels } from '@weir/standalone';
import { existsSync, readFileSync } from 'node:fs';
import { UsageError, type Command } from './command';

type Row = { readonly id: string };

export const importCatalog: Command = {
  words: 'catalog import',
  summary: 'Checks models against the catalogue and keeps them beside it; a known id is replaced. In force from the next start on.',
  argument: { value: 'FILE', meaning: 'a JSON array of models, written as in libs/model-catalog/data/models' },
  options: [{ name: 'to', value: 'PATH', meaning: 'what CATALOG_FILE of the services names; catalog.json of DATA_DIR by default' }],
  run: ({ argument, options }, { dataDirectory }) => {
    const rows = readRows(argument ?? '');
    const path = options['to'] ?? findOwnPath(dataDirectory());
    const before = parseKnown(readImportedModels(path));
    const imported = new Set(rows.map(({ id }) => id));
    const merged = [...before.filter(({ id }) => !imported.has(id)), ...rows];
    const catalog = createCatalog(JSON.stringify(merged));
    writeImportedModels(path, merged);
    return Promise.resolve({ imported: rows.length, own_models: merged.length, all_models: catalog.list().length, kept_in: path });
  },
};

function findOwnPath(dataDir: string): string {
  if (existsSync(dataDir)) return importedModelsPath(dataDir);
  throw new UsageError(`there is no gateway in ${dataDir}: set DATA_DIR, or say with --to where CATALOG_FILE of the services points.`);
}

function readRows(path: string): Row[] {
  try {
    return parseKnown(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Whether they are models is for the catalogue to say. */
function parseKnown(text: string | undefined): Row[] {
  const rows: unknown = text === undefined ? [] : JSON.parse(text);
  if (!Array.isArray(rows)) throw new Error('it is not an array of models');
  return rows as Row[];
}
