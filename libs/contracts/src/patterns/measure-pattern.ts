import { parsePattern, type Sequence, type Term } from './parse-pattern';

type PatternMeasure = {
  /** Characters (UTF-16 code units) the longest match has; Infinity when nothing bounds it. */
  readonly longest: number;
  /** What every match begins with, as far as that is plain; may be empty. */
  readonly prefix: string;
};

/** How long matches of a regular expression can be, and what they begin with. Takes what `findPatternProblem` trusts. */
export function measurePattern(source: string): PatternMeasure {
  const alternatives = parsePattern(source);
  const [only] = alternatives;
  return {
    longest: longestOf(alternatives),
    prefix: alternatives.length === 1 && only !== undefined ? prefixOf(only) : '',
  };
}

function longestOf(alternatives: readonly Sequence[]): number {
  return Math.max(0, ...alternatives.map((sequence) => sequence.reduce((total, term) => total + longestOfTerm(term), 0)));
}

function longestOfTerm({ atom, max }: Term): number {
  if (atom.kind === 'anchor' || max === 0) return 0;
  // A character beyond the basic plane takes two units.
  const once = atom.kind === 'characters' ? (atom.set >> 128n === 0n ? 1 : 2) : longestOf(atom.alternatives);
  return once === 0 ? 0 : once * max;
}

function prefixOf(sequence: Sequence): string {
  let prefix = '';
  for (const { atom, min, max } of sequence) {
    if (atom.kind === 'anchor') continue;
    const character = atom.kind === 'characters' && min === 1 && max === 1 ? onlyCharacter(atom.set) : undefined;
    if (character === undefined) return prefix;
    prefix += character;
  }
  return prefix;
}

function onlyCharacter(set: bigint): string | undefined {
  const isOne = set !== 0n && (set & (set - 1n)) === 0n;
  if (!isOne || set >> 128n !== 0n) return undefined;
  return String.fromCharCode(set.toString(2).length - 1);
}
