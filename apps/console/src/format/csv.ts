export type CsvValue = string | number | boolean | null | undefined;

/** A column of a list as a file: its name, and what a row has of it. Amounts are text, as the interface states them. */
export type CsvColumn<Row> = readonly [name: string, value: (row: Row) => CsvValue];

/** As RFC 4180 has it. */
export function writeCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return writeRows(columns, rows, ',');
}

/** As spreadsheets take it from the clipboard, each value into a cell of its own. */
export function writeTabbed<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return writeRows(columns, rows, '\t');
}

function writeRows<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[], between: string): string {
  const head = columns.map(([name]) => writeCell(name, between)).join(between);
  const lines = rows.map((row) => columns.map(([, value]) => writeCell(value(row), between)).join(between));
  return [head, ...lines, ''].join('\r\n');
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** Spreadsheets run what begins like this, and names are their owners' own. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

function writeCell(value: CsvValue, between: string): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return text.includes(between) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
