import type { ResourceKind } from './attribute';
import { COMPARISONS, type AttributePlace, type Comparison, type Filter, type FilterValue } from './filter';
import { findPart, findPlace } from './find-place';
import { refuse, shorten } from './refusals';

const CHARS_MAX = 4_000;
const TERMS_MAX = 100;
const DEPTH_MAX = 10;

const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;

/** What a name in a filter means here; undefined: nothing. */
type FindPlace = (name: string) => AttributePlace | undefined;

/** Reads a filter over a kind of resource. Throws `invalidFilter`. */
export function parseFilter(kind: ResourceKind, text: string): Filter {
  return new FilterReader(text).readAll((name) => findPlace(kind, name));
}

/** Reads what stands in brackets after an attribute, in which names are parts of it. */
export function parseElementFilter(of: AttributePlace, text: string): Filter {
  return new FilterReader(text).readAll((name) => findPart(of.attribute, name));
}

/** By precedence: `or` of `and` of terms. */
class FilterReader {
  private readonly tokens: readonly string[];
  private at = 0;
  private terms = 0;

  constructor(private readonly text: string) {
    this.tokens = tokenize(text);
  }

  readAll(find: FindPlace): Filter {
    const filter = this.readOr(find, 0);
    if (this.at < this.tokens.length) throw this.refuse(`"${shorten(this.tokens[this.at] ?? '')}" is not expected there`);
    return filter;
  }

  private readOr(find: FindPlace, depth: number): Filter {
    let left = this.readAnd(find, depth);
    while (this.takeWord('or')) left = { kind: 'or', left, right: this.readAnd(find, depth) };
    return left;
  }

  private readAnd(find: FindPlace, depth: number): Filter {
    let left = this.readTerm(find, depth);
    while (this.takeWord('and')) left = { kind: 'and', left, right: this.readTerm(find, depth) };
    return left;
  }

  private readTerm(find: FindPlace, depth: number): Filter {
    this.terms += 1;
    if (this.terms > TERMS_MAX || depth > DEPTH_MAX) throw this.refuse('it is too complex');
    const isNot = this.tokens[this.at + 1] === '(' && this.takeWord('not');
    if (this.take('(')) {
      const inner = this.readOr(find, depth + 1);
      this.expect(')');
      return isNot ? { kind: 'not', inner } : inner;
    }
    return this.readComparison(find, depth);
  }

  private readComparison(find: FindPlace, depth: number): Filter {
    const name = this.next('the name of an attribute');
    const place = find(name);
    if (place === undefined) throw this.refuse(`there is no attribute "${shorten(name)}"`);
    if (this.take('[')) {
      const inner = this.readOr((part) => findPart(place.attribute, part), depth + 1);
      this.expect(']');
      return { kind: 'some', place, inner };
    }
    const word = this.next('a comparison').toLowerCase();
    if (word === 'pr') return { kind: 'present', place };
    const comparison = COMPARISONS.find((one): one is Comparison => one === word);
    if (comparison === undefined) throw this.refuse(`"${shorten(word)}" is no comparison; there are ${COMPARISONS.join(', ')} and pr`);
    return { kind: 'compare', place, comparison, value: this.readValue() };
  }

  private readValue(): FilterValue {
    const token = this.next('a value');
    if (/^(true|false)$/i.test(token)) return token.toLowerCase() === 'true';
    try {
      const value: unknown = JSON.parse(token);
      if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
    } catch {
      // Said below: what is no JSON is no value.
    }
    throw this.refuse(`"${shorten(token)}" is no value; text stands in quotation marks`);
  }

  private next(what: string): string {
    const token = this.tokens[this.at];
    if (token === undefined) throw this.refuse(`${what} is missing at its end`);
    this.at += 1;
    return token;
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at += 1;
    return true;
  }

  private takeWord(word: string): boolean {
    if (this.tokens[this.at]?.toLowerCase() !== word) return false;
    this.at += 1;
    return true;
  }

  private expect(token: string): void {
    if (!this.take(token)) throw this.refuse(`"${token}" is missing`);
  }

  private refuse(problem: string): Error {
    return refuse('invalidFilter', `The filter ${shorten(this.text)} cannot be read: ${problem}.`, 'filter');
  }
}

function tokenize(text: string): string[] {
  if (text.length > CHARS_MAX) throw refuse('invalidFilter', `The filter has more than ${CHARS_MAX} characters.`, 'filter');
  const trimmed = text.trim();
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(trimmed);
    if (found === null) throw refuse('invalidFilter', `The filter cannot be read from "${shorten(trimmed.slice(from))}" on.`, 'filter');
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '');
  }
  return tokens;
}
