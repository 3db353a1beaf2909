import { stringify } from 'csv-stringify/sync';
import type { UsageColumn, UsageFile } from './usage-line';

/** What a column is called, and what it holds. */
type Heading = Pick<UsageColumn, 'name' | 'kind'>;

/** Pages of lines as what stands in the cells of a file: text by column. */
export async function* renderRows<Line>(
  pages: AsyncIterable<readonly Line[]>,
  columns: readonly UsageColumn<Line>[],
  file: UsageFile,
): AsyncGenerator<string[][]> {
  for await (const lines of pages) yield lines.map((line) => columns.map(({ value }) => value(line, file)));
}

/**
 * A CSV file (RFC 4180, line feeds) with a heading, written while its rows are read. Callers choose some of the texts: one that a
 * spreadsheet would take for a formula begins with an apostrophe. Numbers below zero are no texts.
 */
export async function* encodeCsv(pages: AsyncIterable<readonly string[][]>, columns: readonly Heading[]): AsyncGenerator<string> {
  yield stringify([columns.map(({ name }) => name)]);
  const isText = columns.map(({ kind }) => kind === undefined);
  for await (const rows of pages) {
    yield stringify([...rows], {
      cast: { string: (value, { index }) => ({ value, escape_formulas: isText[index] ?? true }) },
    });
  }
}
