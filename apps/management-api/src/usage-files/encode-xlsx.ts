import type { UsageExport } from '@weir/database';
import type { ColumnKind, UsageColumn } from '@weir/usage';
import { writeXlsxStream } from 'hucre/xlsx';

type Cell = string | number | Date | null;

/** Excel keeps fifteen digits of a number. */
const DIGITS_MAX = 15;

const TEXT = '@';
const FORMATS: Readonly<Record<ColumnKind, string>> = { count: '0', money: '0.00##########', time: 'yyyy-mm-dd hh:mm', flag: TEXT };

/** Half of what a sheet may have: its part of the file stays below four gigabytes, beyond which not every program reads on. */
const ROWS_PER_SHEET = 500_000;

type XlsxOptions = {
  /** Of the sheet; what does not fit into one is continued in `<name>_2`. */
  readonly name: string;
  readonly columns: readonly UsageColumn[];
  readonly rowsPerSheet?: number;
};

/**
 * A workbook, written while its lines are read. Texts are cells of text, which a spreadsheet never takes for a formula. Money
 * is a number to calculate with, of which Excel keeps fifteen digits, and beside it the exact decimal as text (`…_exact`).
 */
export function encodeXlsx(opened: UsageExport, { name, columns, rowsPerSheet = ROWS_PER_SHEET }: XlsxOptions): AsyncIterable<Uint8Array> {
  const sheetColumns = columns.flatMap(({ name: header, kind }) => {
    const own = { header, style: { numFmt: kind === undefined ? TEXT : FORMATS[kind] } };
    return kind === 'money' ? [own, { header: `${header}_exact`, style: { numFmt: TEXT } }] : [own];
  });
  return writeXlsxStream(encodeRows(opened, columns), {
    name,
    columns: sheetColumns,
    freezePane: { rows: 1 },
    maxRowsPerSheet: rowsPerSheet,
  });
}

async function* encodeRows(opened: UsageExport, columns: readonly UsageColumn[]): AsyncGenerator<Cell[]> {
  for await (const lines of opened.pages()) {
    for (const line of lines) yield columns.flatMap(({ kind, value }) => encodeCell(kind, value(line, opened.file)));
  }
}

function encodeCell(kind: ColumnKind | undefined, text: string): Cell[] {
  if (kind === 'money') return [Number(text), text];
  if (text === '') return [null];
  if (kind === 'time') return [new Date(text)];
  if (kind === 'count' && text.length <= DIGITS_MAX) return [Number(text)];
  return [encodeText(text)];
}

/** What XML may not hold at all, and what a reader of the format would take for an escaped character. */
function encodeText(text: string): string {
  return text.replace(/[\ufffe\uffff]/g, '\ufffd').replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
}
