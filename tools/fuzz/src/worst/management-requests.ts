import { OPERATIONS, type Example } from '@weir/api-description';
import { getEndpoint, type EndpointRow } from '@weir/contracts';
import type { z } from 'zod';
import { fillText, FILLERS, growLargest, maximumOf, type Filler, type Growth, type Schema } from './grow-values';
import { SPECIAL_BODIES } from './special-bodies';

export type WorstRequest = {
  readonly about: string;
  readonly row: EndpointRow;
  /** Ids of examples stand in it for things that have to exist. */
  readonly path: string;
  readonly body?: string;
};

/** Management refuses what is larger. */
const BODY_CHARACTERS_MAX = 4 * 1024 ** 2;
/** Node refuses a longer head. */
const QUERY_CHARACTERS = 12_000;
const BEYOND = [16_000, 3_900_000];
/** Of what is far beyond what is allowed, a few kinds of text are enough. */
const FILLERS_LISTED: readonly Filler[] = ['a', '*a', ' '];
const FILLERS_BEYOND: readonly Filler[] = ['a', 'a?', ' '];

type Described = {
  readonly id: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly examples: readonly [Example, ...Example[]];
};

/** Every management endpoint, or those whose id has a text in it, with the bodies and queries that are most work: each text and list at its longest and beyond, and all at once. */
export function* listWorstRequests(endpoint = '', shape = ''): Generator<WorstRequest> {
  for (const operation of OPERATIONS as readonly Described[]) {
    const row = getEndpoint(operation.id);
    if (row.service !== 'management-api' || !row.id.includes(endpoint)) continue;
    const [example] = operation.examples;
    const path = row.path.replace(/:(\w+)/g, (_, name: string) => example.params?.[name] ?? '');
    const queries = [...listQueries(operation)].filter(([about]) => about.includes(shape));
    for (const [about, query] of queries) yield { about, row, path: `${path}?${query}` };
    if (row.method !== 'GET' && row.body !== 'none') yield* listFitting({ row, path }, operation, shape);
  }
}

function* listFitting(at: Pick<WorstRequest, 'row' | 'path'>, operation: Described, shape: string): Generator<WorstRequest> {
  for (const { about, make } of listBodies(operation)) {
    if (!about.includes(shape)) continue;
    const text = JSON.stringify(make());
    if (Buffer.byteLength(text) <= BODY_CHARACTERS_MAX) yield { ...at, about, body: text };
  }
}

/** Made only where it is asked for: some take long. */
type Made = { readonly about: string; readonly make: () => unknown };

function* listBodies({ id, body: schema, examples }: Described): Generator<Made> {
  for (const { about, body } of SPECIAL_BODIES[id]?.() ?? []) yield { about, make: () => body };
  const example: unknown = examples.find(({ body }) => body !== undefined)?.body ?? {};
  yield { about: 'members that no one knows', make: () => ({ ...(example as object), ...manyMembers(100_000) }) };
  if (schema === undefined) return;
  for (const place of listPlaces({ schema, name: 'body', value: example, write: (value) => value })) yield* fillPlace(place);
  for (const form of [0, 1, 2])
    for (const filler of FILLERS_BEYOND)
      yield { about: `everything, ${JSON.stringify(filler)}, form ${form}`, make: () => growLargest(schema, growthOf(filler, form)) };
}

function growthOf(filler: Filler, form = 0): Growth {
  return { filler, form, textLength: 1024, listLength: 20_000, budget: { characters: BODY_CHARACTERS_MAX / 2 } };
}

function manyMembers(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1]));
}

/** Where a value stands in a body, and the whole body with another in its place. */
type Place = { readonly schema: Schema; readonly name: string; readonly value: unknown; readonly write: (value: unknown) => unknown };

function* listPlaces(place: Place): Generator<Place> {
  const { schema, name, value, write } = place;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const base =
        typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : makeRequired(def.shape);
      for (const [member, inner] of Object.entries(def.shape))
        yield* listPlaces({
          schema: inner,
          name: `${name}.${member}`,
          value: base[member],
          write: (one) => write({ ...base, [member]: one }),
        });
      return;
    }
    case 'array':
      yield place;
      yield* listPlaces({
        schema: def.element,
        name: `${name}.0`,
        value: Array.isArray(value) ? (value as unknown[])[0] : undefined,
        write: (one) => write([one]),
      });
      return;
    case 'record':
      yield place;
      yield* listPlaces({ schema: def.valueType, name: `${name}.x`, value: undefined, write: (one) => write({ x: one }) });
      return;
    case 'union':
      for (const [form, option] of def.options.entries()) yield* listPlaces({ ...place, schema: option, name: `${name}|${form}` });
      return;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
      yield* listPlaces({ ...place, schema: def.innerType });
      return;
    case 'pipe':
      yield* listPlaces({ ...place, schema: def.in });
      return;
    default:
      yield place;
  }
}

function makeRequired(shape: z.core.$ZodShape): Record<string, unknown> {
  const needed = Object.entries(shape).filter(([, schema]) => !(schema as z.ZodType).safeParse(undefined).success);
  return Object.fromEntries(
    needed.map(([member, schema]) => [member, growLargest(schema, { ...growthOf('a'), textLength: 8, listLength: 1 })]),
  );
}

function* fillPlace({ schema, name, write }: Place): Generator<Made> {
  const { type } = (schema as z.core.$ZodTypes)._zod.def;
  if (type === 'array') {
    const { def } = ((schema as z.core.$ZodArray)._zod.def.element as z.core.$ZodTypes)._zod;
    const forms = def.type === 'union' ? def.options.keys() : [0];
    for (const form of forms)
      for (const filler of FILLERS_LISTED)
        yield {
          about: `${name} at its most, ${JSON.stringify(filler)}, form ${form}`,
          make: () => write(growLargest(schema, growthOf(filler, form))),
        };
    const [one] = growLargest(schema, { ...growthOf('a'), textLength: 8, listLength: 1 }) as unknown[];
    const count = Math.floor(3_900_000 / (JSON.stringify(one ?? 0).length + 1));
    for (const many of [maximumOf(schema, 1000) + 1, Math.min(count, 250_000)])
      yield { about: `${name}, ${many} of one`, make: () => write(Array.from({ length: many }, () => one)) };
    yield { about: `${name}, texts without end`, make: () => write(Array.from({ length: 250_000 }, (_, index) => `t${index}`)) };
    return;
  }
  if (type === 'record') {
    yield {
      about: `${name}, many`,
      make: () => write(Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`n${index}`, 'x']))),
    };
    return;
  }
  const lengths = type === 'string' ? [maximumOf(schema, 4096), ...BEYOND] : [3_900_000];
  for (const length of lengths)
    for (const filler of length > 4096 ? FILLERS_BEYOND : FILLERS)
      yield { about: `${name} of ${length} × ${JSON.stringify(filler)}`, make: () => write(fillText(filler, length)) };
}

function* listQueries({ query }: Described): Generator<readonly [string, string]> {
  for (const [name, schema] of Object.entries(query?.shape ?? {})) {
    const places = [...listPlaces({ schema, name, value: undefined, write: (value) => value })];
    const length = Math.min(...places.map((place) => maximumOf(place.schema, QUERY_CHARACTERS)));
    for (const filler of ['a', ' ', '*a', '(', 'a eq "b" and ', '\u00e9'])
      for (const each of new Set([length, QUERY_CHARACTERS]))
        yield [
          `${name} of ${each} × ${JSON.stringify(filler)}`,
          `${name}=${encodeURIComponent(fillText(filler, each)).slice(0, QUERY_CHARACTERS)}`,
        ];
    const many = Array.from({ length: 1000 }, (_, index) => `${name}=${index}`)
      .join('&')
      .slice(0, QUERY_CHARACTERS);
    yield [`${name}, many times`, many];
    for (const inner of ['model_used', 'extra.x', 'api_key_label.x', 'user_id'])
      yield [
        `${name}[${inner}], many times`,
        Array.from({ length: 700 }, (_, index) => `${name}[${inner}]=${index}`)
          .join('&')
          .slice(0, QUERY_CHARACTERS),
      ];
    yield [`${name}, nested`, `${name}${'[a]'.repeat(1000)}=1`];
  }
}
