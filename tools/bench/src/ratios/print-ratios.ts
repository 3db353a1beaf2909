import type { Spread } from './arithmetic';
import type { Judgement } from './judge-rows';

const NONE = '–';

const COLUMNS: readonly (readonly [title: string, show: (row: Judgement) => string])[] = [
  ['row', ({ title, unit }) => (unit === '' ? title : `${title}, ${unit}`)],
  ['relay', ({ relay }) => showSpread(relay)],
  ['before', ({ before }) => showSpread(before)],
  ['now', ({ now }) => showSpread(now)],
  ['before', (row) => showCompared(row, row.comparedBefore)],
  ['now', (row) => showCompared(row, row.comparedNow)],
  ['target', showTarget],
  ['met', ({ isMet }) => (isMet === null ? NONE : isMet ? 'yes' : 'no')],
];

/** The table as text: what was measured, then how it compares. */
export function formatRatios(rows: readonly Judgement[]): string {
  const lines = [COLUMNS.map(([title]) => title), ...rows.map((row) => COLUMNS.map(([, show]) => show(row)))];
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0))).join('  '))
    .join('\n');
}

function showSpread(spread: Spread | null): string {
  return spread === null ? NONE : showRange(spread);
}

function showCompared({ judged }: Judgement, spread: Spread | null): string {
  if (spread === null) return NONE;
  switch (judged) {
    case 'ratio':
    case 'gain':
      return `${showRange(spread)} ×`;
    case 'over':
      return `+ ${showRange(spread)}`;
    case 'value':
      return showRange(spread);
  }
}

function showTarget({ target, judged }: Judgement): string {
  const sign = 'most' in target ? '≤' : '≥';
  const value = 'most' in target ? target.most : target.least;
  return `${sign} ${value}${judged === 'ratio' || judged === 'gain' ? ' ×' : ''}`;
}

function showRange({ median, least, most }: Spread): string {
  return least === most ? showNumber(median) : `${showNumber(median)} [${showNumber(least)} to ${showNumber(most)}]`;
}

/** As many digits as mean something. */
export function showNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || value === 0) return value.toFixed(0);
  return value.toFixed(size >= 10 ? 1 : 2);
}
