import Ajv, { type ValidateFunction } from 'ajv';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { read, ROOT, type Manifest } from './deployment-files';

type Schemas = { readonly kinds: Readonly<Record<string, object>>; readonly definitions: object };

const FOLDER = ['tools', 'checks', 'schemas'] as const;
const validators = new Map<string, ValidateFunction>();

/** What is wrong with an object, by the schema of its kind: types, what is missing, and fields that an API server would not know. */
export function checkObject(manifest: Manifest): string[] {
  const { name } = manifest.metadata;
  const kind = `${manifest.apiVersion} ${manifest.kind}`;
  const validate = findValidator(kind);
  if (validate === undefined) return [`${kind}: no schema of it`];
  if (validate(manifest)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${kind} ${name}${instancePath}: ${message} ${JSON.stringify(params)}`,
  );
}

function findValidator(kind: string): ValidateFunction | undefined {
  if (validators.size === 0) for (const name of readdirSync(join(ROOT, ...FOLDER))) compileAll(name);
  return validators.get(kind);
}

/** Compiled when they are first asked for. */
function compileAll(name: string): void {
  const { kinds, definitions } = makeStrict(JSON.parse(read(...FOLDER, name))) as Schemas;
  for (const [kind, schema] of Object.entries(kinds)) {
    let compiled: ValidateFunction | undefined;
    const validate = (data: unknown): boolean => {
      compiled ??= new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile({ ...schema, definitions });
      const isRight = compiled(data) as boolean;
      (validate as unknown as ValidateFunction).errors = compiled.errors ?? null;
      return isRight;
    };
    validators.set(kind, validate as unknown as ValidateFunction);
  }
}

/** As an API server validates strictly: no field that it does not know, numbers and texts where either will do. */
function makeStrict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(makeStrict);
  if (node === null || typeof node !== 'object') return node;
  const schema = node as Record<string, unknown>;
  if (schema['x-kubernetes-int-or-string'] === true || schema['format'] === 'int-or-string') return { type: ['integer', 'string'] };
  const strict = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, makeStrict(value)]));
  // As Go writes it; we write small letters.
  if (typeof schema['pattern'] === 'string') strict['pattern'] = schema['pattern'].replace('(?i)', '');
  return isClosed(schema) ? { ...strict, additionalProperties: false } : strict;
}

/** An object whose members are all named, and not a map of properties that happens to look like one. */
function isClosed(schema: Record<string, unknown>): boolean {
  const { type, properties } = schema;
  if (type !== 'object' || typeof properties !== 'object' || properties === null || '$ref' in properties) return false;
  return !('additionalProperties' in schema) && schema['x-kubernetes-preserve-unknown-fields'] !== true;
}
