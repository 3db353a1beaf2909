import type { Place, Sight } from './place';

export type Difference = {
  readonly subject: string;
  readonly place: Place;
  /** Lines of both, marked `-` (before) and `+` (after). */
  readonly lines: readonly string[];
};

const LINE_MAX = 400;
const CONTEXT = 120;
const LINES_MAX = 40;

/** Compares what was seen of both gateways, by subject and place; what only one of them has differs too. */
export function compareSights(before: readonly Sight[], after: readonly Sight[]): Difference[] {
  const sights = new Map<string, { readonly sight: Sight; before: string[]; after: string[] }>();
  const add = (sight: Sight, side: 'before' | 'after'): void => {
    const key = `${sight.subject}\0${sight.place}`;
    const known = sights.get(key) ?? { sight, before: [], after: [] };
    known[side].push(sight.text);
    sights.set(key, known);
  };
  for (const sight of before) add(sight, 'before');
  for (const sight of after) add(sight, 'after');
  return [...sights.values()].flatMap((both) => {
    const [a, b] = [both.before.join('\n'), both.after.join('\n')];
    const { subject, place } = both.sight;
    return a === b && both.before.length === both.after.length ? [] : [{ subject, place, lines: diffLines(a, b) }];
  });
}

/** The lines that only one text has, in their order; of long ones the part where they begin to differ. */
export function diffLines(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const start = a.findIndex((line, at) => line !== b[at]);
  const from = start === -1 ? a.length : start;
  let same = 0;
  while (same < Math.min(a.length, b.length) - from && a[a.length - 1 - same] === b[b.length - 1 - same]) same += 1;
  const [onlyBefore, onlyAfter] = withoutCommon(a.slice(from, a.length - same), b.slice(from, b.length - same));
  const head = onlyBefore.map((line, at) => `- ${shorten(line, onlyAfter[at])}`);
  const tail = onlyAfter.map((line, at) => `+ ${shorten(line, onlyBefore[at])}`);
  const all =
    onlyBefore.length + onlyAfter.length === 0 ? ['(the same lines in another order or number)'] : [...limit(head), ...limit(tail)];
  return [`at line ${from + 1}:`, ...all];
}

/** Lines that both have somewhere are not what differs. */
function withoutCommon(a: readonly string[], b: readonly string[]): [string[], string[]] {
  const count = (lines: readonly string[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
    return counts;
  };
  const only = (lines: readonly string[], others: Map<string, number>): string[] =>
    lines.filter((line) => {
      const left = others.get(line) ?? 0;
      others.set(line, left - 1);
      return left <= 0;
    });
  return [only(a, count(b)), only(b, count(a))];
}

function limit(lines: readonly string[]): string[] {
  return lines.length <= LINES_MAX ? [...lines] : [...lines.slice(0, LINES_MAX), `  … and ${lines.length - LINES_MAX} more`];
}

function shorten(line: string, other = ''): string {
  if (line.length <= LINE_MAX) return line;
  let at = 0;
  while (at < line.length && line[at] === other[at]) at += 1;
  const from = Math.max(0, at - CONTEXT);
  return `${from > 0 ? '…' : ''}${line.slice(from, from + LINE_MAX)}… (${line.length} characters, differs from ${at} on)`;
}
