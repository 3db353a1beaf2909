import { addTwins } from './add-twins';
import { CatalogUnreadable } from './catalog-unreadable';
import { checkRecord } from './check-record';
import { createModelCatalog, type ModelCatalog } from './model-catalog';
import { modelRecord, type ModelRecord } from './model-record.schema';

/** A data file: `<provider>.json`, an array of model records. */
type CatalogFile = { readonly name: string; readonly text: string };
/** The same, already parsed. All rows are of one provider: `provider`, or the name without its ending. */
export type CatalogRows = { readonly name: string; readonly provider?: string; readonly rows: unknown };

/** Reads data files into a catalogue. A single bad row stops it, and the error lists every problem of every file. */
export function loadCatalog(files: readonly CatalogFile[], now: () => number = Date.now): ModelCatalog {
  const problems: string[] = [];
  const read = files.map(({ name, text }) => ({ name, rows: parseJson(name, text, problems) }));
  return loadCatalogRows(read, now, problems);
}

/** Like `loadCatalog`, for files whose JSON has been read; `problems` are those found while doing so. */
export function loadCatalogRows(files: readonly CatalogRows[], now: () => number, problems: string[] = []): ModelCatalog {
  return createModelCatalog(addTwins(readRecords(files, problems)), now);
}

/** The records of some files by their ids, without twins. Throws one error that lists every problem. */
export function readRecords(files: readonly CatalogRows[], problems: string[] = []): ReadonlyMap<string, ModelRecord> {
  const records = new Map<string, ModelRecord>();
  for (const file of files) {
    const { provider = file.name.replace(/\.json$/, '') } = file;
    if (!Array.isArray(file.rows)) {
      if (file.rows !== undefined) problems.push(`${file.name}: not an array of models`);
      continue;
    }
    file.rows.forEach((row: unknown, index) => {
      const where = `${file.name} model ${index + 1} (${nameOf(row)})`;
      const record = parseRecord(row, where, problems);
      if (record === undefined) return;
      if (record.provider !== provider) problems.push(`${where}: the provider ${record.provider} has a file of its own`);
      if (records.has(record.id)) problems.push(`${where}: there are two models of this id`);
      records.set(record.id, record);
    });
  }
  if (problems.length > 0) throw new CatalogUnreadable(problems);
  return records;
}

function parseRecord(row: unknown, where: string, problems: string[]): ModelRecord | undefined {
  const parsed = modelRecord.safeParse(row);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) problems.push(`${where}: ${issue.path.join('.') || 'record'}: ${issue.message}`);
    return undefined;
  }
  for (const problem of checkRecord(parsed.data)) problems.push(`${where}: ${problem}`);
  return parsed.data;
}

function parseJson(name: string, text: string, problems: string[]): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    problems.push(`${name}: not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
    return undefined;
  }
}

function nameOf(row: unknown): string {
  return typeof row === 'object' && row !== null && 'id' in row ? String(row.id) : 'no id';
}
