import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCatalog, type ModelRow } from '@weir/model-catalog';

/** The rows of a data folder by model id, or none when there is no folder yet. */
export function readRows(modelsFolder: string): Map<string, ModelRow> {
  mkdirSync(modelsFolder, { recursive: true });
  const rows = listFiles(modelsFolder).flatMap((name) => JSON.parse(readFileSync(join(modelsFolder, name), 'utf8')) as ModelRow[]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Writes one file per provider, one model per line, after checking that the catalogue would load them. */
export function writeRows(modelsFolder: string, rows: readonly ModelRow[]): void {
  const providers = [...new Set(rows.map((row) => row.provider))];
  const files = providers.map((provider) => ({
    name: `${provider}.json`,
    text: encodeRows(rows.filter((row) => row.provider === provider)),
  }));
  loadCatalog(files);
  for (const { name, text } of files) writeFileSync(join(modelsFolder, name), text);
}

function encodeRows(rows: readonly ModelRow[]): string {
  const sorted = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  return `[\n${sorted.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`;
}

/** Writes `src/data-files.ts`, which lists every data file there is, also those that no source wrote. */
export function writeAddressBook(catalogFolder: string): void {
  const names = listFiles(join(catalogFolder, 'data', 'models')).map((name) => `  '${name}',`);
  const lines = [
    '/** The files of `data/models`, one per provider. Written by tools/catalog-sync. */',
    'export const DATA_FILES = [',
    ...names,
    '] as const;',
  ];
  writeFileSync(join(catalogFolder, 'src', 'data-files.ts'), `${lines.join('\n')}\n`);
}

function listFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
}
