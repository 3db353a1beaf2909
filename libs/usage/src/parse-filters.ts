import { FILTER_CHARS_MAX, FILTER_DIMENSIONS_MAX, FILTER_VALUES_MAX } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { describeDimensions, findDimension, type Dimension } from './dimensions';
import type { UsageFilter } from './usage-query';

const BRACKETED = /^filter\[([^\]]*)\](?:\[\])?$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Brings `filter[<dimension>]=value` of a query string into the form of a JSON body: `filter: {"<dimension>": ["value"]}`. Values
 * may hold commas, so each stands alone. A dimension that comes in both is taken from the body.
 */
export function gatherFilters(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  const gathered = new Map<string, unknown[]>();
  for (const [key, value] of Object.entries(input)) {
    const name = BRACKETED.exec(key)?.[1];
    if (name === undefined) rest[key] = value;
    else gathered.set(name, [...(gathered.get(name) ?? []), value].flat());
  }
  if (gathered.size === 0) return rest;
  const { filter } = rest;
  if (filter !== undefined && !isObject(filter)) return rest;
  return { ...rest, filter: { ...Object.fromEntries(gathered), ...filter } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks the filters of a question. Throws `invalid_request` naming the field. */
export function parseFilters(filter: unknown): readonly UsageFilter[] {
  if (filter === undefined) return [];
  if (!isObject(filter)) {
    throw invalid('filter', 'expected `filter[<dimension>]=<value>`, or in a body an object such as {"model_used": ["a", "b"]}.');
  }
  const names = Object.keys(filter).sort();
  if (names.length > FILTER_DIMENSIONS_MAX) throw invalid('filter', `at most ${FILTER_DIMENSIONS_MAX} dimensions can be filtered by.`);
  return names.map((name) => ({ name, values: checkValues(name, filter[name]) }));
}

function checkValues(name: string, given: unknown): string[] {
  const request = findDimension(name);
  if (request === undefined) {
    throw new GatewayError('invalid_request', `\`filter\` does not know "${name.slice(0, 80)}"; it takes ${describeDimensions()}.`, {
      field: 'filter',
    });
  }
  const field = `filter[${name}]`;
  const values = [given].flat().map((value) => checkValue(field, request.dimension, value));
  if (values.length === 0) throw invalid(field, 'at least one value is needed.');
  if (values.length > FILTER_VALUES_MAX) throw invalid(field, `at most ${FILTER_VALUES_MAX} values are taken.`);
  return [...new Set(values)].sort();
}

function checkValue(field: string, { values: kind }: Dimension, value: unknown): string {
  if (typeof value !== 'string') throw invalid(field, 'values are texts.');
  if (value.length > FILTER_CHARS_MAX) throw invalid(field, `a value has at most ${FILTER_CHARS_MAX} characters.`);
  if (value.includes('\0')) throw invalid(field, 'a value cannot hold NUL.');
  if (value === 'Unknown') return value;
  if (kind === 'id') {
    if (!UUID.test(value)) throw invalid(field, `"${value.slice(0, 80)}" is no id.`);
    return value.toLowerCase();
  }
  if (kind === 'flag' && value !== 'true' && value !== 'false') throw invalid(field, 'a value is `true` or `false`.');
  return value;
}

function invalid(field: string, reason: string): GatewayError {
  return new GatewayError('invalid_request', `\`${field}\` is not valid: ${reason}`, { field });
}
