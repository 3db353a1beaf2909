import { asNumber, isExactNumber, stringifyExactJson, type ExactNumber } from '@weir/canonical';
import { GatewayError } from '@weir/errors';

/** A JSON object whose members no one has looked at yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export type NumberRange = { readonly min?: number; readonly max?: number; readonly isInteger?: boolean; readonly path?: string };

const WHOLE = /^-?\d+$/;

/** Ends decoding: `field` is the path in the caller's own body, `problem` completes the sentence. */
export function refuseField(field: string, problem: string): never {
  throw new GatewayError('invalid_request', `${field} ${problem}.`, { field });
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readObject(value: unknown, field: string): JsonObject {
  return isObject(value) ? value : refuseField(field, missingOr(value, 'must be an object'));
}

/** A number that no double holds is text only on its way through here. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !isExactNumber(value);
}

export function readArray(value: unknown, field: string): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : refuseField(field, missingOr(value, 'must be an array'));
}

export function readString(value: unknown, field: string): string {
  return isText(value) ? value : refuseField(field, missingOr(value, 'must be a string'));
}

export function readName(value: unknown, field: string): string {
  const name = readString(value, field);
  return name === '' ? refuseField(field, 'must not be empty') : name;
}

function missingOr(value: unknown, problem: string): string {
  return value === undefined || value === null ? 'is required' : problem;
}

/** Optional members: null counts as absent, because many clients spell out every field they know. */
export function findString(object: JsonObject, key: string, path = ''): string | undefined {
  const value = object[key];
  if (value === undefined || value === null) return undefined;
  return isText(value) ? value : refuseField(joinPath(path, key), 'must be a string');
}

export function findBoolean(object: JsonObject, key: string, path = ''): boolean | undefined {
  const value = object[key];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'boolean' ? value : refuseField(joinPath(path, key), 'must be true or false');
}

export function findObject(object: JsonObject, key: string, path = ''): JsonObject | undefined {
  const value = object[key];
  if (value === undefined || value === null) return undefined;
  return readObject(value, joinPath(path, key));
}

export function findArray(object: JsonObject, key: string, path = ''): readonly unknown[] | undefined {
  const value = object[key];
  if (value === undefined || value === null) return undefined;
  return readArray(value, joinPath(path, key));
}

export function findStrings(object: JsonObject, key: string, path = ''): readonly string[] | undefined {
  const values = findArray(object, key, path);
  if (values === undefined) return undefined;
  const field = joinPath(path, key);
  return values.map((value, index) => (isText(value) ? value : refuseField(`${field}[${index}]`, 'must be a string')));
}

export function findNumber(object: JsonObject, key: string, range: NumberRange): number | undefined {
  const reported = object[key];
  if (reported === undefined || reported === null) return undefined;
  const field = joinPath(range.path ?? '', key);
  const value = asNumber(reported);
  if (value === undefined || !Number.isFinite(value)) return refuseField(field, 'must be a number');
  if (range.isInteger === true && !Number.isSafeInteger(value)) return refuseField(field, 'must be an integer');
  if (range.min !== undefined && value < range.min) return refuseField(field, `must be at least ${range.min}`);
  if (range.max !== undefined && value > range.max) return refuseField(field, `must be at most ${range.max}`);
  return value;
}

/** An integer of which every digit counts: one that no double holds stays as it was written. */
export function findExactInteger(object: JsonObject, key: string, range: NumberRange): number | ExactNumber | undefined {
  const value = object[key];
  const isExact = Number.isInteger(value) || (isExactNumber(value) && WHOLE.test(stringifyExactJson(value)));
  return isExact ? (value as number | ExactNumber) : findNumber(object, key, range);
}

export function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
