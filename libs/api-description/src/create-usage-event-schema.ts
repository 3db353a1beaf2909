import { TOPICS, usageEvent } from '@weir/contracts';
import { z } from 'zod';
import { USAGE_EVENT_FIELDS, USAGE_UNIT_FIELDS } from './schemas/events/usage-event-fields';

type JsonSchema = { [key: string]: unknown };
type Described = JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> };

/**
 * The values of `weir.usage.v1` as JSON Schema (draft 2020-12), made of what the aggregator reads them by: a usage event, or what
 * stands in the place of one that its journal could not give back. Fields that are not listed may come at any time.
 */
export function createUsageEventSchema(): JsonSchema {
  const { $schema, ...event } = z.toJSONSchema(usageEvent, { io: 'input', target: 'draft-2020-12', override: simplify }) as Described;
  const units = event.properties['units'] as Described;
  const described = {
    ...event,
    properties: describeEach({ ...event.properties, units: { ...units, properties: describeEach(units.properties, USAGE_UNIT_FIELDS) } }),
  };
  return {
    $schema,
    $id: '/schemas/usage-event',
    title: `Value of a record of ${TOPICS.usage.name}`,
    oneOf: [{ $ref: '#/$defs/usageEvent' }, { $ref: '#/$defs/lostEvent' }],
    $defs: { usageEvent: { title: 'Usage event', ...described }, lostEvent: LOST_EVENT },
  };
}

/** As the usage journal writes it. */
const LOST_EVENT: JsonSchema = {
  title: 'Lost event',
  description:
    'In the place of an event that its writer’s journal could not give back. It keeps the sequence without a hole, and charges no one.',
  type: 'object',
  properties: {
    v: { const: 1 },
    lost: { const: true },
    writer_id: { type: 'string', description: 'The writer whose event it was: the key of the record.' },
    seq: { type: 'integer', minimum: 0, description: 'Its place in the writer’s sequence: the header `seq` of the record.' },
    reason: { type: 'string', description: 'What could not be read, for people.' },
    event_id: { type: 'string', description: 'Id of the attempt, where it is known.' },
    rest: { type: 'string', description: 'What could be read of the event, where its beginning could not.' },
  },
  required: ['v', 'lost', 'writer_id', 'seq', 'reason'],
};

function describeEach(properties: Readonly<Record<string, JsonSchema>>, words: Readonly<Record<string, string>> = USAGE_EVENT_FIELDS) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, { description: words[name], ...schema }]));
}

/** Bounds of what JavaScript can count are nothing to say. */
function simplify({ jsonSchema }: { readonly jsonSchema: object }): void {
  const schema = jsonSchema as JsonSchema;
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
}
