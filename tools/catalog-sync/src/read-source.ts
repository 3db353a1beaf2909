import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { quoteNumbers } from './quote-numbers';
import { sourceExtras, sourceRecord, type SourceExtras, type SourceRecord } from './source-record.schema';

export type SourceModel = { readonly record: SourceRecord; readonly extras: SourceExtras };

/** Reads `models.json` and `extras.json` of a folder. Every number stays decimal text until the schema has seen it. */
export function readSource(folder: string): SourceModel[] {
  const records = z.array(sourceRecord).parse(readExact(join(folder, 'models.json')));
  const extras = z.record(z.string(), sourceExtras).parse(readExact(join(folder, 'extras.json')));
  return records.map((record) => ({ record, extras: extras[record.id] ?? {} }));
}

function readExact(path: string): unknown {
  return JSON.parse(quoteNumbers(readFileSync(path, 'utf8')));
}
