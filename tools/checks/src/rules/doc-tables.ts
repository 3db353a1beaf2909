import type { RepositoryFile, Rule } from '../repository/repository';

const FENCE = /```[\s\S]*?```/g;
const RULER = /^\|(\s*:?-+:?\s*\|)+$/;

/** Tables of pages have a head and a ruler, and as many cells in each row: what has not is shown as text. */
export const checkDocTables: Rule = ({ files }) => files.filter(({ path }) => path.endsWith('.md')).flatMap(checkPage);

function checkPage({ path, text }: RepositoryFile): string[] {
  const lines = text.replace(FENCE, (block) => block.replace(/[^\n]/g, '')).split('\n');
  return lines.flatMap((line, at) => {
    if (!line.startsWith('|')) return [];
    const start = lines.slice(0, at).findLastIndex((before) => !before.startsWith('|')) + 1;
    const ruler = lines[start + 1] ?? '';
    if (!RULER.test(ruler)) return [`${path}:${at + 1}: is no row of a table`];
    return countCells(line) === countCells(ruler)
      ? []
      : [`${path}:${at + 1}: has ${countCells(line) - 1} cells, not ${countCells(ruler) - 1}`];
  });
}

function countCells(line: string): number {
  return line.replaceAll('\\|', '').split('|').length - 1;
}
