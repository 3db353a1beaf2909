import { NO_CHARACTERS, WORD_CHARACTERS, type CharacterSet } from './character-set';
import { firstOf, parsePattern, PatternProblem, type Sequence, type Term } from './parse-pattern';

/** Ways in which one piece of text may be read; a backtracking matcher tries them all in the worst case. */
const READINGS_MAX = 1000;
/** Characters a match must have at least. */
const LENGTH_MAX = 1024;
const COUNT_MAX = 256;

/** Characters every match has passed, one set for each, the last one first: what is added to it need not be copied. */
type Passed = { readonly set: CharacterSet; readonly rest: Passed } | undefined;

/** What is around a sequence. */
type Surroundings = {
  readonly before: Passed;
  /** `^` or `\b` comes right before. */
  readonly anchor: string | undefined;
  /** What may come next. */
  readonly after: CharacterSet;
};

/**
 * Says why a regular expression cannot be trusted to take time linear in the text, undefined when it can. Stricter than
 * need be: every choice a matcher has must be settled by the next character, or be one of few.
 */
export function findPatternProblem(source: string): string | undefined {
  try {
    void new RegExp(source, 'u');
  } catch {
    return 'is not a regular expression';
  }
  try {
    const alternatives = parsePattern(source);
    if (alternatives.some((sequence) => sequence.every(({ min }) => min === 0))) return 'matches the empty text';
    const readings = countAlternatives(alternatives, { before: undefined, anchor: undefined, after: NO_CHARACTERS });
    if (readings > READINGS_MAX) return 'can read the same text in too many ways';
    return alternatives.some((sequence) => lengthOf(sequence) > LENGTH_MAX) ? `asks for more than ${LENGTH_MAX} characters` : undefined;
  } catch (error) {
    if (error instanceof PatternProblem) return error.message;
    throw error;
  }
}

function countAlternatives(alternatives: readonly Sequence[], around: Surroundings): number {
  return alternatives.reduce((total, sequence) => total + countReadings(sequence, around), 0);
}

function countReadings(sequence: Sequence, around: Surroundings): number {
  let readings = 1;
  let { before, anchor } = around;
  for (const [index, term] of sequence.entries()) {
    const after = firstOf(sequence, index + 1, around.after);
    readings *= countTerm(term, { before, anchor, after });
    for (const set of mandatorySets(term)) before = { set, rest: before };
    anchor = term.atom.kind === 'anchor' ? term.atom.source : undefined;
  }
  return readings;
}

function countTerm(term: Term, around: Surroundings): number {
  const { atom, min, max } = term;
  if (atom.kind === 'anchor') return 1;
  if (min > COUNT_MAX || (max > COUNT_MAX && max !== Infinity)) throw new PatternProblem(`counts to more than ${COUNT_MAX}`);
  if (atom.kind === 'group') {
    if (max > 1 && !isFixed(atom.alternatives)) throw new PatternProblem('repeats a group that holds a repetition or an alternative');
    const inside = countAlternatives(atom.alternatives, around);
    return max > 1 ? inside * countRepetition(term, around) : inside + (min === 0 ? 1 : 0);
  }
  return countRepetition(term, around);
}

/** How many lengths of a repetition a matcher may have to try at one place. */
function countRepetition(term: Term, { before, anchor, after }: Surroundings): number {
  const { min, max } = term;
  if (min === max) return 1;
  const first = firstOf([{ ...term, min: 1 }], 0, NO_CHARACTERS);
  const isSettled = (first & after) === NO_CHARACTERS;
  if (max !== Infinity) return isSettled ? 1 : max - min + 1;
  if (!isSettled) throw new PatternProblem('has an open repetition followed by what it matches itself; bound it, such as {1,64}');
  // Otherwise every character of a long run would be a start of its own, and each start would walk the whole run.
  const all = everythingIn(term);
  const isGuarded = hasPassed(before, all);
  const startsOnce = anchor === '^' || (anchor === '\\b' && (all & ~WORD_CHARACTERS) === NO_CHARACTERS);
  if (!isGuarded && !startsOnce) {
    throw new PatternProblem('begins with an open repetition; bound it, such as {1,64}, or put before it what it does not match');
  }
  return 1;
}

/** Whether every match has passed a character that is none of these. */
function hasPassed(before: Passed, all: CharacterSet): boolean {
  for (let passed = before; passed !== undefined; passed = passed.rest) if ((passed.set & all) === NO_CHARACTERS) return true;
  return false;
}

function isFixed(alternatives: readonly Sequence[]): boolean {
  if (alternatives.length > 1) return false;
  return (alternatives[0] ?? []).every(({ atom, min, max }) => min === max && (atom.kind !== 'group' || isFixed(atom.alternatives)));
}

/** A set for each character that a term cannot do without; of a choice, the first ones together. */
function mandatorySets({ atom, min }: Term): CharacterSet[] {
  if (min === 0 || atom.kind === 'anchor') return [];
  if (atom.kind === 'characters') return [atom.set];
  const [only, ...others] = atom.alternatives.map((sequence) => sequence.flatMap(mandatorySets));
  if (only === undefined || others.length === 0) return only ?? [];
  if ([only, ...others].some((sets) => sets.length === 0)) return [];
  return [[only, ...others].reduce((set, [first = NO_CHARACTERS]) => set | first, NO_CHARACTERS)];
}

function everythingIn({ atom }: Term): CharacterSet {
  if (atom.kind === 'anchor') return NO_CHARACTERS;
  if (atom.kind === 'characters') return atom.set;
  return atom.alternatives.flat().reduce((set, term) => set | everythingIn(term), NO_CHARACTERS);
}

function lengthOf(sequence: Sequence): number {
  return sequence.reduce((total, { atom, min, max }) => {
    if (atom.kind === 'anchor') return total;
    const once = atom.kind === 'characters' ? 1 : Math.max(...atom.alternatives.map(lengthOf));
    return total + once * Math.max(min, max === Infinity ? 1 : max);
  }, 0);
}
