import type { EndpointRow } from '@weir/contracts';
import type { EventStream, Example, Operation, ResponseDescription } from '../operations/operation';
import type { z } from 'zod';
import { convertSchema, type JsonSchema } from './convert-schemas';
import { describeErrors, jsonTypeOf } from './describe-errors';
import { describeParameters, listResponseHeaders, referToHeaders } from './describe-headers';
import { listErrorCodes } from './list-error-codes';

const OWN_IDS = new Set(['id', 'member_id']);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** One operation of the document, from its row, what is said about it, and the schemas that validate it. */
export function describeOperation(row: EndpointRow, operation: Operation): JsonSchema {
  const { examples } = operation;
  const parameters = [...describePathParameters(row, examples), ...describeQuery(operation, examples), ...describeParameters(row)];
  return {
    operationId: row.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.about === undefined ? {} : { description: operation.about }),
    security: describeSecurity(row),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...describeBody(row, operation),
    responses: {
      ...Object.fromEntries(Object.entries(operation.responses).map(([status, response]) => [status, describeResponse(row, response)])),
      ...describeErrors(row, listErrorCodes(row, operation.errors)),
    },
  };
}

function describeSecurity({ id, permission, path }: EndpointRow): JsonSchema[] {
  const either = [{ bearer: [] }, { apiKey: [] }];
  // A signed address needs no key.
  if (id === 'read-file-content') return [{}, ...either];
  if (permission.kind === 'public') return path.startsWith('/v1/models') ? [{}, ...either] : [];
  return either;
}

function describePathParameters({ path }: EndpointRow, examples: readonly Example[]): JsonSchema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const example = examples.find(({ params }) => params?.[name] !== undefined)?.params?.[name];
    return { name, in: 'path', required: true, schema: { type: 'string', ...describeId(name, example) }, ...withExample(example) };
  });
}

/** Ids of our own have the format here that they have in replies, so that what was read can be asked for. */
function describeId(name: string, example: unknown): JsonSchema {
  return OWN_IDS.has(name) && typeof example === 'string' && UUID.test(example) ? { format: 'uuid' } : {};
}

function describeQuery({ query }: Operation, examples: readonly Example[]): JsonSchema[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = convertSchema(query, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    // Spelled `name[member]=value`.
    ...(schema['type'] === 'object' ? { style: 'deepObject', explode: true } : {}),
    schema,
    ...withExample(toTyped(schema, examples.find(({ query: asked }) => asked?.[name] !== undefined)?.query?.[name])),
  }));
}

/** A query is text; the example of a number is a number. */
function toTyped(schema: JsonSchema, value: unknown): unknown {
  return schema['type'] === 'integer' && typeof value === 'string' ? Number(value) : value;
}

function withExample(example: unknown): JsonSchema {
  return example === undefined ? {} : { example };
}

function describeBody(row: EndpointRow, { body, form, isBodyOptional, examples }: Operation): JsonSchema {
  if (body === undefined && form === undefined) return {};
  const content: JsonSchema = {};
  const sent = examples.filter((example) => example.body !== undefined);
  if (body !== undefined) {
    content[jsonTypeOf(row)] = {
      schema: convertSchema(body, 'input'),
      ...(sent.length === 0 ? {} : { examples: Object.fromEntries(sent.map((example) => [toKey(example), toExample(example)])) }),
    };
  }
  if (form !== undefined) content['multipart/form-data'] = { schema: convertSchema(form, 'input') };
  return { requestBody: { required: isBodyOptional !== true, content } };
}

function toKey({ summary }: Example): string {
  return summary
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function toExample({ summary, body }: Example): JsonSchema {
  return { summary, value: body };
}

function describeResponse(row: EndpointRow, { about, json, events, media = {}, headers = [] }: ResponseDescription): JsonSchema {
  const content: JsonSchema = {
    ...(json === undefined ? {} : { [jsonTypeOf(row)]: { schema: convertSchema(json, 'output') } }),
    ...Object.fromEntries(Object.entries(media).map(([type, text]) => [type, { schema: describeBytes(type, text) }])),
    ...(events === undefined ? {} : { 'text/event-stream': describeEvents(events) }),
  };
  return {
    description: about,
    headers: referToHeaders([...listResponseHeaders(row), ...headers]),
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
}

function describeBytes(type: string, description: string): JsonSchema {
  return type.startsWith('text/') ? { type: 'string', description } : { description, contentMediaType: type };
}

/** What the `data` of each event holds is the content schema; the title of a schema is the name of its event. */
function describeEvents({ about, named = new Map<string, z.ZodType>(), unnamed = [] }: EventStream): JsonSchema {
  const names = [...named.keys()].map((name) => `\`${name}\``).join(', ');
  const description = names === '' ? about : `${about}\n\nEvents: ${names}.`;
  const shapes = [...named.values(), ...unnamed].map((schema) => convertSchema(schema, 'output'));
  return { schema: { type: 'string', description, contentMediaType: 'text/event-stream', contentSchema: { anyOf: shapes } } };
}
