import { bareName } from './index-bare-names';

export const SUGGESTIONS_MAX = 3;

/** Longer names are compared by their beginning: comparing takes time in proportion to both lengths. */
const COMPARED_MAX = 100;
const LEAST_LIKENESS = 0.6;
/** Where lengths differ by more, a slip of the keyboard explains nothing. */
const SLIP_MAX = 3;
const FEW_PAIRS = 0.45;
const SHORT_NAME = 8;

type Compared = { readonly text: string; readonly pairs: ReadonlySet<string> };
type Candidate = { readonly name: string; readonly full: Compared; readonly bare: Compared };

const prepared = new Map<string, Candidate>();
/** More than a catalogue has, so that organizations' own names do not take memory without bound. */
const PREPARED_MAX = 10_000;

/**
 * Up to three names that resemble one that is not known, the nearest first; one of each model. `isUsable` is asked for near
 * names only, in their order.
 */
export function suggestNames(wrong: string, names: Iterable<string>, isUsable: (name: string) => boolean): string[] {
  const full = prepare(wrong);
  const bare = prepare(bareName(wrong));
  const near: { name: string; model: string; likeness: number }[] = [];
  for (const name of names) {
    const candidate = findCandidate(name);
    const likeness = Math.max(compare(full, candidate.full), compare(bare, candidate.bare));
    if (likeness >= LEAST_LIKENESS) near.push({ name, model: candidate.bare.text, likeness });
  }
  near.sort((a, b) => b.likeness - a.likeness || a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
  const found = new Map<string, string>();
  for (const { name, model } of near) {
    if (found.size >= SUGGESTIONS_MAX) break;
    if (!found.has(model) && isUsable(name)) found.set(model, name);
  }
  return [...found.values()];
}

/** `Did you mean "a" or "b"?`, with a space before it; nothing without suggestions. */
export function askWhichMeant(suggestions: readonly string[]): string {
  const last = suggestions.at(-1);
  if (last === undefined) return '';
  const others = suggestions.slice(0, -1).map((name) => `"${name}"`);
  return ` Did you mean ${others.length === 0 ? '' : `${others.join(', ')} or `}"${last}"?`;
}

function findCandidate(name: string): Candidate {
  let candidate = prepared.get(name);
  if (candidate === undefined) {
    if (prepared.size >= PREPARED_MAX) prepared.clear();
    candidate = { name, full: prepare(name), bare: prepare(bareName(name)) };
    prepared.set(name, candidate);
  }
  return candidate;
}

const DATE_AT_END = /[-@](?:20\d{6}|20\d\d-\d\d-\d\d)$/;

/** Spelling without what people mix up: case, separators and the day of a version. */
function prepare(name: string): Compared {
  const text = name
    .slice(0, COMPARED_MAX)
    .toLowerCase()
    .replace(/\[[^\]]*\]$/, '')
    .replace(DATE_AT_END, '')
    .replaceAll(/[^a-z0-9]/g, '');
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < text.length; index += 1) pairs.add(text.slice(index, index + 2));
  return { text, pairs };
}

/** 1 for the same, 0 for nothing in common: by shared pairs of letters, or by the number of slips. */
function compare(a: Compared, b: Compared): number {
  if (a.text === b.text) return 1;
  if (a.text === '' || b.text === '') return 0;
  const byPairs = comparePairs(a.pairs, b.pairs);
  const longest = Math.max(a.text.length, b.text.length);
  // Counting slips takes much longer, and names with few pairs in common have many of them, unless they are short.
  const mayBeSlip = Math.abs(a.text.length - b.text.length) <= SLIP_MAX && (byPairs >= FEW_PAIRS || longest <= SHORT_NAME);
  return mayBeSlip ? Math.max(byPairs, 1 - countSlips(a.text, b.text) / longest) : byPairs;
}

function comparePairs(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return a.size + b.size === 0 ? 0 : (2 * shared) / (a.size + b.size);
}

/** Letters that were added, left out, replaced or exchanged with their neighbour. */
function countSlips(a: string, b: string): number {
  const width = b.length + 1;
  const counts = new Uint16Array((a.length + 1) * width);
  const at = (row: number, column: number): number => counts[row * width + column] ?? 0;
  for (let column = 0; column <= b.length; column += 1) counts[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    counts[row * width] = row;
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const count = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced);
      counts[row * width + column] = isExchange(a, b, [row, column]) ? Math.min(count, at(row - 2, column - 2) + 1) : count;
    }
  }
  return at(a.length, b.length);
}

function isExchange(a: string, b: string, [row, column]: readonly [number, number]): boolean {
  return row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
}
