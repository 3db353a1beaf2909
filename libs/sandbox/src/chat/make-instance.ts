import { asArray, asRecord, type JsonRecord } from '@weir/canonical';

const DEPTH_MAX = 12;

/** The smallest value that a JSON Schema accepts, for the keywords that callers use; patterns are not solved. */
export function makeInstance(schema: unknown, root: unknown = schema, depth = 0): unknown {
  const reported = asRecord(schema);
  if (reported === undefined || depth > DEPTH_MAX) return {};
  if (typeof reported['$ref'] === 'string') return makeInstance(resolve(reported['$ref'], root), root, depth + 1);
  if (reported['const'] !== undefined) return reported['const'];
  const allowed = asArray(reported['enum']);
  if (allowed.length > 0) return allowed[0];
  const branch = asArray(reported['anyOf'])[0] ?? asArray(reported['oneOf'])[0];
  if (branch !== undefined) return makeInstance(branch, root, depth + 1);
  const parts = asArray(reported['allOf']);
  if (parts.length > 0) return Object.assign({}, ...parts.map((part) => makeInstance(part, root, depth + 1))) as unknown;
  return makeOfType(reported, root, depth);
}

function resolve(reference: string, root: unknown): unknown {
  let found: unknown = root;
  for (const step of reference.replace(/^#\/?/, '').split('/')) {
    if (step !== '') found = asRecord(found)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return found;
}

function makeOfType(schema: JsonRecord, root: unknown, depth: number): unknown {
  const type = Array.isArray(schema['type']) ? (schema['type'] as unknown[])[0] : schema['type'];
  switch (type) {
    case 'string':
      return 'x'.repeat(Math.min(1000, numberOr(schema['minLength'], 0)));
    case 'integer':
    case 'number':
      return makeNumber(schema);
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: Math.min(100, numberOr(schema['minItems'], 0)) }, () => makeInstance(schema['items'], root, depth + 1));
    default:
      return makeObject(schema, root, depth);
  }
}

function makeNumber(schema: JsonRecord): number {
  const least = numberOr(schema['minimum'], numberOr(schema['exclusiveMinimum'], -1) + 1);
  const most = numberOr(schema['maximum'], Infinity);
  return Math.min(Math.max(0, least), most);
}

function makeObject(schema: JsonRecord, root: unknown, depth: number): JsonRecord {
  const properties = asRecord(schema['properties']) ?? {};
  const instance: JsonRecord = {};
  for (const name of asArray(schema['required'])) {
    if (typeof name === 'string') instance[name] = makeInstance(properties[name] ?? {}, root, depth + 1);
  }
  return instance;
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
