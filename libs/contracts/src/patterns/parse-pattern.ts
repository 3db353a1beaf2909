import { NO_CHARACTERS, toCharacterSet, type CharacterSet } from './character-set';

export type Term = {
  readonly atom: CharacterAtom | GroupAtom | AnchorAtom;
  readonly min: number;
  /** Infinity for `*`, `+` and `{n,}`. */
  readonly max: number;
};
type CharacterAtom = { readonly kind: 'characters'; readonly set: CharacterSet };
type GroupAtom = { readonly kind: 'group'; readonly alternatives: Sequence[] };
type AnchorAtom = { readonly kind: 'anchor'; readonly source: string };
export type Sequence = readonly Term[];

/** What a pattern may not contain; the message is for its author. */
export class PatternProblem extends Error {}

const GROUP_START = /\((?:\?(?::|<[^=!][^>]*>))?/y;
const ANCHOR = /\^|\$|\\[bB]/y;
const CLASS = /\[(?:[^\]\\]|\\.)*\]/suy;
const ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|.)/suy;
const LITERAL = /[^\\()[\]{}|^$*+?]/suy;
const QUANTIFIER = /(?:\*|\+|\?|\{(\d+)(,?)(\d*)\})\??/y;
const DEPTH_MAX = 16;

/** Reads a regular expression of the `u` kind, as alternatives. Throws `PatternProblem` for what cannot run in linear time. */
export function parsePattern(source: string): Sequence[] {
  let position = 0;

  const take = (form: RegExp): RegExpExecArray | undefined => {
    form.lastIndex = position;
    const found = form.exec(source) ?? undefined;
    if (found !== undefined) position = form.lastIndex;
    return found;
  };

  const readAlternatives = (depth: number): Sequence[] => {
    if (depth > DEPTH_MAX) throw new PatternProblem(`nests groups deeper than ${DEPTH_MAX} levels`);
    const alternatives: Term[][] = [[]];
    while (position < source.length && source[position] !== ')') {
      if (source[position] === '|') {
        position += 1;
        alternatives.push([]);
      } else {
        alternatives.at(-1)?.push(readTerm(depth));
      }
    }
    return alternatives;
  };

  const readTerm = (depth: number): Term => {
    const atom = readAtom(depth);
    const quantifier = take(QUANTIFIER);
    return { atom, ...(quantifier === undefined ? { min: 1, max: 1 } : readBounds(quantifier)) };
  };

  const readAtom = (depth: number): Term['atom'] => {
    const anchor = take(ANCHOR);
    if (anchor !== undefined) return { kind: 'anchor', source: anchor[0] };
    if (source[position] === '(') return readGroup(depth);
    const place = take(CLASS) ?? take(ESCAPE) ?? take(LITERAL);
    if (place === undefined) throw new PatternProblem(`cannot be read at "${source.slice(position, position + 10)}"`);
    if (/^\\[1-9k]/.test(place[0])) throw new PatternProblem('refers back to a group, which takes more than linear time');
    return { kind: 'characters', set: toCharacterSet(place[0]) };
  };

  const readGroup = (depth: number): GroupAtom => {
    if (/^\(\?<?[=!]/.test(source.slice(position, position + 4))) throw new PatternProblem('looks ahead or behind');
    take(GROUP_START);
    if (source[position] === '?') throw new PatternProblem('has a group of a kind that is not supported');
    const alternatives = readAlternatives(depth + 1);
    position += 1; // the closing parenthesis, which is there: the expression compiles
    return { kind: 'group', alternatives };
  };

  return readAlternatives(0);
}

function readBounds([text, least, comma, most]: RegExpExecArray): { min: number; max: number } {
  if (least !== undefined) {
    const min = Number(least);
    return { min, max: comma === '' ? min : most === '' ? Infinity : Number(most) };
  }
  if (text.startsWith('?')) return { min: 0, max: 1 };
  return { min: text.startsWith('+') ? 1 : 0, max: Infinity };
}

/** What a sequence, from `index` on, may begin with; where all of it may be empty, also what comes after it. */
export function firstOf(sequence: Sequence, index: number, after: CharacterSet): CharacterSet {
  let set = NO_CHARACTERS;
  for (let at = index; at < sequence.length; at += 1) {
    const term = sequence[at] as Term;
    if (term.atom.kind === 'anchor') continue;
    set |= firstOfAtom(term.atom);
    if (!isOptional(term)) return set;
  }
  return set | after;
}

function firstOfAtom(atom: CharacterAtom | GroupAtom): CharacterSet {
  if (atom.kind === 'characters') return atom.set;
  return atom.alternatives.reduce((set, alternative) => set | firstOf(alternative, 0, NO_CHARACTERS), NO_CHARACTERS);
}

function isOptional({ atom, min }: Term): boolean {
  if (min === 0 || atom.kind === 'anchor') return true;
  return atom.kind === 'group' && atom.alternatives.some((alternative) => alternative.every(isOptional));
}
