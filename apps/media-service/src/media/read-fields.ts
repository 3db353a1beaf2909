import { asNumber, mayHoldLongNumber, parseExactJson } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import type { ParsedBody } from '@weir/http-server';

/** The fields of a request, whether they came as JSON or as a form. */
export type Fields = Readonly<Record<string, unknown>>;

/** The members of a body, of numbers every digit: those that no one here has a word for go on as they came. */
export function readJsonFields({ text, json }: ParsedBody): Fields {
  return mayHoldLongNumber(text) ? (parseExactJson(text) as Fields) : json;
}

export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

export function invalid(field: string, why: string): GatewayError {
  return new GatewayError('invalid_request', `${field} ${why}.`, { field });
}

export function readText(fields: Fields, field: string): string | undefined {
  const value = fields[field];
  if (isAbsent(value)) return undefined;
  if (typeof value === 'string') return value;
  throw invalid(field, 'must be text');
}

/** Text that has to be there, with something in it. */
export function requireText(fields: Fields, field: string, charactersMax = Infinity): string {
  const text = readText(fields, field);
  if (text === undefined) throw invalid(field, 'is required');
  if (text.trim() === '') throw invalid(field, 'must not be empty');
  if (text.length > charactersMax) throw invalid(field, `must have at most ${charactersMax} characters`);
  return text;
}

export function readChoice<Choice extends string>(fields: Fields, field: string, choices: readonly Choice[]): Choice | undefined {
  const value = fields[field];
  if (isAbsent(value)) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw invalid(field, `must be one of ${choices.map((choice) => `"${choice}"`).join(', ')}`);
  return found;
}

export function readNumber(fields: Fields, field: string, [min, max]: readonly [number, number]): number | undefined {
  if (isAbsent(fields[field])) return undefined;
  const value = asNumber(fields[field]);
  if (value === undefined || !(value >= min && value <= max)) throw invalid(field, `must be a number from ${min} to ${max}`);
  return value;
}

export function readInteger(fields: Fields, field: string, bounds: readonly [number, number]): number | undefined {
  const value = readNumber(fields, field, bounds);
  if (value !== undefined && !Number.isInteger(value)) throw invalid(field, 'must be a whole number');
  return value;
}

export function readFlag(fields: Fields, field: string): boolean {
  const value = fields[field];
  if (isAbsent(value)) return false;
  if (typeof value !== 'boolean') throw invalid(field, 'must be true or false');
  return value;
}

/** A list of texts; one alone counts as a list of one. */
export function readTexts(fields: Fields, field: string, countMax: number): readonly string[] {
  const value = fields[field];
  if (isAbsent(value)) return [];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > countMax) throw invalid(field, `must have at most ${countMax} entries`);
  return items.map((item) => {
    if (typeof item !== 'string') throw invalid(field, 'must be a list of texts');
    return item;
  });
}

/** The fields that no one here has a word for; undefined when there are none. */
export function pickUnmapped(fields: Fields, known: ReadonlySet<string>): Fields | undefined {
  const others = Object.entries(fields).filter(([name, value]) => !known.has(name) && !isAbsent(value));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}
