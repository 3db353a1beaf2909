import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;
type Path = readonly PropertyKey[];

/** Of texts whose schema names no length: what a pattern or a format describes is far shorter. */
const TEXT_LENGTH_MAX = 4096;

/** Bounds of a refinement, by which it is found before anything is checked: see `bounded`. */
export type Bounds = {
  /** Members of a map. */
  readonly entriesMax?: number;
  /** Texts of a list in which a star stands for other characters. */
  readonly globsMax?: number;
  /** All of a value as JSON text: what its parts may be together. */
  readonly jsonLengthMax?: number;
};

/** How much of it a value has, and what one that has too much is refused with. */
const MEASURES: Readonly<Record<keyof Bounds, { readonly of: (value: object) => number; readonly unit: string }>> = {
  entriesMax: { of: (map) => Object.keys(map).length, unit: 'entries' },
  globsMax: { of: (list) => (list as readonly unknown[]).filter((text) => String(text).includes('*')).length, unit: 'entries with "*"' },
  jsonLengthMax: { of: (value) => JSON.stringify(value).length, unit: 'characters as JSON' },
};

/**
 * The first bound that a value is beyond, from the outside in. Zod counts a list after it has checked every element, and goes on
 * with the checks of a text that is too long; here lengths and counts alone are looked at, before any check of the schema runs,
 * so that no check ever sees more than its schema allows.
 */
export function findExceededBound(schema: Schema, value: unknown, path: Path = []): Issue | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return typeof value === 'string' ? checkText(def.checks ?? [], value, path) : undefined;
    case 'array':
      return Array.isArray(value) ? checkList(def, value as unknown[], path) : undefined;
    case 'object':
      return isObject(value) ? (checkMembers(def.shape, value, path) ?? checkWhole(def, value, path)) : undefined;
    case 'record':
      return isObject(value) ? checkMap(def, value, path) : undefined;
    case 'union':
      return firstOf(def.options, (option) => findExceededBound(option, value, path));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return findExceededBound(def.innerType, value, path);
    case 'pipe':
      return findExceededBound(def.in, value, path);
    default:
      return undefined;
  }
}

type Checks = readonly z.core.$ZodCheck[];
type CheckDef = z.core.$ZodChecks['_zod']['def'] | z.core.$ZodCustomDef;

function defsOf(checks: Checks): CheckDef[] {
  return checks.map((check) => (check as z.core.$ZodChecks | z.core.$ZodCustom)._zod.def);
}

function checkText(checks: Checks, text: string, path: Path): Issue | undefined {
  let measured = text;
  let isBounded = false;
  for (const def of defsOf(checks)) {
    // As it is by the time its length counts: trimmed.
    if (def.check === 'overwrite' && !isBounded) measured = String(def.tx(measured));
    if (def.check !== 'max_length' && def.check !== 'length_equals') continue;
    isBounded = true;
    const maximum = def.check === 'max_length' ? def.maximum : def.length;
    if (measured.length > maximum) return tooBig('string', maximum, { value: text, path });
  }
  return isBounded || text.length <= TEXT_LENGTH_MAX ? undefined : tooBig('string', TEXT_LENGTH_MAX, { value: text, path });
}

function checkList(def: z.core.$ZodArrayDef, list: readonly unknown[], path: Path): Issue | undefined {
  for (const check of defsOf(def.checks ?? []))
    if (check.check === 'max_length' && list.length > check.maximum) return tooBig('array', check.maximum, { value: list, path });
  for (const [index, element] of list.entries()) {
    const found = findExceededBound(def.element, element, [...path, index]);
    if (found !== undefined) return found;
  }
  return checkWhole(def, list, path);
}

function checkMembers(shape: z.core.$ZodShape, value: Readonly<Record<string, unknown>>, path: Path): Issue | undefined {
  return firstOf(Object.keys(shape), (name) =>
    value[name] === undefined ? undefined : findExceededBound(shape[name] as Schema, value[name], [...path, name]),
  );
}

function checkMap(def: z.core.$ZodRecordDef, map: Readonly<Record<string, unknown>>, path: Path): Issue | undefined {
  const names = Object.keys(map);
  const { entriesMax = Infinity } = boundsOf(def.checks);
  if (names.length > entriesMax) return tooBig('record', entriesMax, { value: map, path });
  return firstOf(names, (name) => findExceededBound(def.valueType, map[name], [...path, name])) ?? checkWhole(def, map, path);
}

/** Once all that is in it is within its own bounds. */
function checkWhole(def: z.core.$ZodTypeDef, value: object, path: Path): Issue | undefined {
  const message = findExcess(boundsOf(def.checks), value);
  return message === undefined ? undefined : { code: 'custom', path: [...path], message };
}

function boundsOf(checks: Checks = []): Bounds {
  return Object.assign({}, ...defsOf(checks).map((def) => (def.check === 'custom' ? def.params : undefined))) as Bounds;
}

/** A refinement that bounds a map, a list or a whole: `z.record(…).refine(...bounded({ entriesMax: 16 }))`. */
export function bounded(
  bounds: Bounds,
): [(value: unknown) => boolean, { error: (issue: { input?: unknown }) => string; params: Bounds; abort: true }] {
  const isWithin = (value: unknown): boolean => findExcess(bounds, value as object) === undefined;
  return [isWithin, { error: ({ input }) => findExcess(bounds, input as object) ?? '', params: bounds, abort: true }];
}

function findExcess(bounds: Bounds, value: object): string | undefined {
  return firstOf(Object.keys(bounds) as (keyof Bounds)[], (bound) => {
    const max = bounds[bound] ?? Infinity;
    return MEASURES[bound].of(value) > max ? `must have at most ${max} ${MEASURES[bound].unit}` : undefined;
  });
}

function tooBig(origin: string, maximum: number, { value, path }: { readonly value: unknown; readonly path: Path }): Issue {
  return { code: 'too_big', origin, maximum, inclusive: true, input: value, path: [...path], message: '' };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstOf<One, Found>(all: readonly One[], find: (one: One) => Found | undefined): Found | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
