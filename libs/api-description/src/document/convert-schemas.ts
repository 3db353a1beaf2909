import { z } from 'zod';
import { REPLY_SCHEMAS, REQUEST_SCHEMAS } from '../schemas/named-schemas';

export type JsonSchema = { [key: string]: unknown };

/** `open`: objects may get members that are not described, as later versions will add some. */
export type Openness = 'open' | 'closed';

const REFERENCE = '#/components/schemas/';
/** Formats say what these patterns say, and in words. */
const NAMED_FORMATS = new Set(['date-time', 'email', 'uuid']);

/** Every named schema, requests and replies, under its name. */
export function convertNamedSchemas(replies: Openness): Record<string, JsonSchema> {
  const sent = convertRegistry(REQUEST_SCHEMAS, 'input');
  const answered = convertRegistry(REPLY_SCHEMAS, 'output');
  if (replies === 'open') openObjects(Object.values(answered));
  return Object.fromEntries(
    Object.entries({ ...sent, ...answered })
      .map(([id, schema]) => [id, withoutIdentity(schema)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

type Registry = typeof REQUEST_SCHEMAS;

function convertRegistry(registry: Registry, io: 'input' | 'output'): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `${REFERENCE}${id}`, unrepresentable: 'any', override: simplify });
  return schemas as Record<string, JsonSchema>;
}

/** A schema without a name of its own, in place; named ones inside it are written out. */
export function convertSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const named = (io === 'input' ? REQUEST_SCHEMAS : REPLY_SCHEMAS).get(schema);
  if (named !== undefined) return { $ref: `${REFERENCE}${named.id}` };
  return withoutIdentity(z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify }) as JsonSchema);
}

function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (NAMED_FORMATS.has(String(jsonSchema['format']))) delete jsonSchema['pattern'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  const rest = jsonSchema['additionalProperties'];
  if (typeof rest === 'object' && rest !== null && Object.keys(rest).length === 0 && 'properties' in jsonSchema) {
    delete jsonSchema['additionalProperties'];
  }
}

/** Takes `additionalProperties: false` away, at any depth. */
function openObjects(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as JsonSchema;
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  Object.values(schema).forEach(openObjects);
}

function withoutIdentity({ $id: _id, $schema: _schema, id: _name, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
