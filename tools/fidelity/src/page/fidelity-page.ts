import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(__dirname, '..', '..', '..', '..', 'docs', 'fidelity.md');

/** The parts of the page, each written by the suite that measures it. */
type FidelityPart = 'replies' | 'published types' | 'vendor SDKs';

/** What the page says in one part; empty when it has none. */
export function readPart(part: FidelityPart): string {
  const page = readPage();
  const { begin, end } = marksOf(part);
  const from = page.indexOf(begin);
  return from === -1 ? '' : page.slice(from + begin.length, page.indexOf(end, from));
}

/** Writes one part where `UPDATE_DOCS=1` asks for it, and leaves the rest of the page alone. */
export function updatePart(part: FidelityPart, text: string): void {
  if (process.env['UPDATE_DOCS'] !== '1') return;
  const page = readPage();
  const { begin, end } = marksOf(part);
  const from = page.indexOf(begin);
  const whole = `${begin}${text}${end}`;
  const updated = from === -1 ? `${page}\n${whole}\n` : page.slice(0, from) + whole + page.slice(page.indexOf(end, from) + end.length);
  writeFileSync(PAGE, updated);
}

/** A table with its columns in line, as the formatter wants it. */
export function layOut(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => [...(row[column] ?? '')].length)));
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
}

function readPage(): string {
  return existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
}

function marksOf(part: FidelityPart): { readonly begin: string; readonly end: string } {
  return { begin: `<!-- measured: ${part} -->\n\n`, end: `\n<!-- end of ${part} -->` };
}
