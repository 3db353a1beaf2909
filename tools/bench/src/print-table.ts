import type { Row } from './summarize';

const COLUMNS: readonly (readonly [title: string, show: (row: Row) => string])[] = [
  ['cell', (row) => row.name],
  ['requests/s', (row) => row.requestsPerSecond.toFixed(0)],
  ['added p50 ms', (row) => show(row.addedP50Ms, 3)],
  ['added p99 ms', (row) => show(row.addedP99Ms, 3)],
  ['CPU µs/request', (row) => show(row.cpuMicroseconds, 1)],
  ['children CPU µs', (row) => show(row.childrenCpuMicroseconds, 1)],
  ['CPU µs/frame over proxy', (row) => show(row.cpuMicrosecondsPerFrame, 2)],
  ['errors', (row) => String(row.errors)],
];

export function formatTable(rows: readonly Row[]): string {
  const lines = [COLUMNS.map(([title]) => title), ...rows.map((row) => COLUMNS.map(([, showCell]) => showCell(row)))];
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const format = (line: readonly string[]): string =>
    line.map((text, column) => (column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0))).join('  ');
  const faults = rows.filter((row) => row.firstError !== undefined).map((row) => `! ${row.name}: ${row.firstError}`);
  return [...lines.map(format), ...faults].join('\n');
}

function show(value: number | null, digits: number): string {
  return value === null || Number.isNaN(value) ? 'n/a' : value.toFixed(digits);
}
