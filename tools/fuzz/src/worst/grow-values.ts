import type { z } from 'zod';

export type Schema = z.core.$ZodType;

/** What texts are filled with: what has been slow to look at, to trim, to split or to match. */
export const FILLERS = ['a', ' ', '*a', 'a?', '\\d', '[^a]', '"', '*', '((', 'é', 'a eq "b" and '] as const;
export type Filler = (typeof FILLERS)[number];

/** How values of a schema are made. */
export type Growth = {
  readonly filler: Filler;
  /** Characters of texts whose schema names none. */
  readonly textLength: number;
  /** Elements of lists, where their schema allows as many. */
  readonly listLength: number;
  /** Of several forms of a value, which one. */
  readonly form: number;
  /** So that all of it stays about as large as a body may be; shared by all that is made for one. */
  readonly budget: { characters: number };
};

/** Texts of formats and patterns that fillers do not fit. */
const WORDS = [
  'x',
  'sandbox/chat',
  '2026-10',
  '2026-10-07',
  '2026-10-07T00:00:00Z',
  '1',
  'EUR',
  'X1',
  'https://example.com/',
  'Europe/Berlin',
];
const KEPT_CHARACTERS = 24;

/** A value of a schema, as large as it may be: all members, lists at their most, texts at their longest, each of its own kind. */
export function growLargest(schema: Schema, growth: Growth, index = 0): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return growText(schema, growth, index);
    case 'array': {
      const list: unknown[] = [];
      for (let at = 0; at < Math.min(maximumOf(schema, Infinity), growth.listLength) && growth.budget.characters > 0; at += 1) {
        growth.budget.characters -= 1;
        list.push(growLargest(def.element, growth, at));
      }
      return list;
    }
    case 'object':
      return Object.fromEntries(Object.entries(def.shape).map(([name, inner]) => [name, growLargest(inner, growth, index)]));
    case 'record': {
      const names = Array.from({ length: Math.min(growth.listLength, 16) }, (_, at) => `n${at}`);
      return Object.fromEntries(names.map((name) => [name, growLargest(def.valueType, growth, index)]));
    }
    case 'union':
      return growLargest(def.options[growth.form % def.options.length] as Schema, growth, index);
    case 'enum':
      return Object.values(def.entries)[0];
    case 'literal':
      return def.values[0];
    case 'number':
      return 1 + (index % 5);
    case 'boolean':
      return true;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
      return growLargest(def.innerType, growth, index);
    case 'pipe':
      return growLargest(def.in, growth, index);
    default:
      return growText(schema, growth, index);
  }
}

/** As long as the schema allows, and unlike its neighbours where it may be. */
function growText(schema: Schema, growth: Growth, index: number): string {
  const length = Math.min(maximumOf(schema, growth.textLength), Math.max(growth.budget.characters, KEPT_CHARACTERS));
  const begin = growth.filler === ' ' ? '' : index.toString(36);
  const filled = fillText(growth.filler, length, begin);
  const kinds = [filled, fillText('a', 64, begin), fillText('a', 16, begin), idOf(index), dayOf(index), mailOf(index), ...WORDS];
  const fitting = kinds.find((text) => isOf(schema, text)) ?? filled;
  growth.budget.characters -= fitting.length;
  return fitting;
}

export function fillText(filler: string, length: number, begin = ''): string {
  return (begin + filler.repeat(Math.ceil(length / filler.length))).slice(0, length);
}

function idOf(index: number): string {
  return `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

function dayOf(index: number): string {
  return new Date(Date.UTC(2000, 0, 1 + (index % 9000))).toISOString().slice(0, 10);
}

function mailOf(index: number): string {
  return `p${index}@example.com`;
}

function isOf(schema: Schema, text: string): boolean {
  return (schema as z.ZodType).safeParse(text).success;
}

/** What the schema of a text or list says of its length. */
export function maximumOf(schema: Schema, otherwise: number): number {
  const checks = ((schema as z.core.$ZodTypes)._zod.def.checks ?? []) as z.core.$ZodChecks[];
  const found = checks.map(({ _zod: { def } }) => (def.check === 'max_length' ? def.maximum : Infinity));
  const maximum = Math.min(...found, Infinity);
  return maximum === Infinity ? otherwise : maximum;
}
