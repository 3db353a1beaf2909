import type { UsageExport } from '@weir/database';
import type { UsageColumn } from '@weir/usage';
import { stringify } from 'csv-stringify/sync';

export async function* encodeCsv(opened: UsageExport, columns: readonly UsageColumn[]): AsyncGenerator<string> {
  yield stringify([columns.map(({ name }) => name)]);
  for await (const lines of opened.pages()) {
    // Callers choose some of the texts; a spreadsheet must not take one for a formula.
    yield stringify(
      lines.map((line) => columns.map(({ value }) => value(line, opened.file))),
      { escape_formulas: true },
    );
  }
}
