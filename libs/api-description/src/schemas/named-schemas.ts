import { z } from 'zod';

type Named = { readonly id: string; readonly description?: string };

/** Schemas with a name of their own in the document: what callers send, and what they get. */
export const REQUEST_SCHEMAS = z.registry<Named>();
export const REPLY_SCHEMAS = z.registry<Named>();

/** Names what callers send: described as it is before defaults are filled in. */
export function nameRequest<Schema extends z.ZodType>(id: string, schema: Schema, description?: string): Schema {
  REQUEST_SCHEMAS.add(schema, { id, ...(description === undefined ? {} : { description }) });
  return schema;
}

/** Names what callers get. */
export function nameReply<Schema extends z.ZodType>(id: string, schema: Schema, description?: string): Schema {
  REPLY_SCHEMAS.add(schema, { id, ...(description === undefined ? {} : { description }) });
  return schema;
}

/** Names the events of a stream, each after its own name: `<family>.<event>`. Shapes with a name of their own keep it. */
export function nameEvents(family: string, events: Iterable<readonly [string, z.ZodType]>): ReadonlyMap<string, z.ZodType> {
  return new Map(
    [...events].map(([event, schema]) => [
      event,
      REPLY_SCHEMAS.has(schema) ? schema : nameReply(`${family}.${event}`, schema.meta({ title: event })),
    ]),
  );
}
