import { LIMIT_ACTIONS, LIMIT_MEASURES, LIMIT_SCOPES, LIMIT_WINDOWS } from '@weir/contracts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './repository/read-repository';

const PAGE = join(REPOSITORY, 'docs', 'limits.md');
const BEGIN =
  '<!-- rows of libs/contracts/src/management/limit-dimensions.ts; written by UPDATE_DOCS=1 npx jest --selectProjects unit -- tools/checks/src/limit-tables -->\n\n';
const END = '\n<!-- end of the rows -->';

type Column<Row> = readonly [head: string, cell: (row: Row) => string];

function encodeTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const body = rows.map((row) => line(columns.map(([, cell]) => cell(row))));
  return [line(columns.map(([head]) => head)), line(columns.map(() => '---')), ...body, ''].join('\n');
}

const code = (text: string): string => `\`${text}\``;

function nameTargets({ targets, needs }: (typeof LIMIT_SCOPES)[number]): string {
  const isNeeded = (field: string): boolean => (needs as readonly string[]).includes(field);
  return targets.map((field) => `${code(field)}${isNeeded(field) ? ' (needed)' : ''}`).join(', ');
}

/** What the page says of every row, in the order of the rows. */
function encodeRows(): string {
  const scopes = encodeTable(LIMIT_SCOPES, [
    ['`scope`', ({ name }) => code(name)],
    ['counts', ({ about }) => about],
    ['names one by', nameTargets],
  ]);
  const measures = encodeTable(LIMIT_MEASURES, [
    ['`measure`', ({ name }) => code(name)],
    ['`amount` in', ({ unit }) => unit],
    ['held at admission', ({ held }) => held],
    ['replaced at the end by', ({ settled }) => settled],
    ['`window`', ({ isConcurrent }) => (isConcurrent ? 'none: what runs at a moment' : 'any')],
  ]);
  const windows = encodeTable(LIMIT_WINDOWS, [
    ['`window`', ({ name }) => code(name)],
    ['counts over', ({ about }) => about],
  ]);
  const actions = encodeTable(LIMIT_ACTIONS, [
    ['`action`', ({ name }) => code(name)],
    ['a request that does not fit', ({ about }) => about],
  ]);
  return [scopes, measures, windows, actions].join('\n');
}

it('docs/limits.md has every scope, measure, window and action as it is', () => {
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  expect([from, to]).not.toContain(-1);
  const written = page.slice(0, from) + BEGIN + encodeRows() + page.slice(to);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, written);

  expect(readFileSync(PAGE, 'utf8')).toBe(written);
});
