import { z } from 'zod';
import * as contracts from '../index';
import { bounded } from './find-exceeded-bound';
import { validateBody, validateBodyInTurns } from './validate-body';

type Schema = z.core.$ZodType;
type Place = { readonly name: string; readonly schema: Schema; readonly wrap: (value: unknown) => unknown };

/** Schemas of bodies and parameters: whatever a caller sends is read by one of these. */
const SCHEMAS = Object.entries(contracts as Readonly<Record<string, unknown>>).filter(
  (entry): entry is [string, z.ZodType] =>
    entry[1] instanceof z.ZodType && /(Body|Parameters|Document|Query|Settings|Filter)$/.test(entry[0]),
);

function defOf(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  return (schema as z.core.$ZodTypes)._zod.def;
}

/** Every text, list and map of a schema, with a body in which a value stands in its place. */
function listPlaces({ name, schema, wrap }: Place): Place[] {
  const def = defOf(schema);
  switch (def.type) {
    case 'string':
      return [{ name, schema, wrap }];
    case 'object':
      return Object.entries(def.shape).flatMap(([member, inner]) =>
        listPlaces({ name: `${name}.${member}`, schema: inner, wrap: (value) => wrap({ [member]: value }) }),
      );
    case 'array':
      return [{ name, schema, wrap }, ...listPlaces({ name: `${name}[]`, schema: def.element, wrap: (value) => wrap([value]) })];
    case 'record':
      return [{ name, schema, wrap }, ...listPlaces({ name: `${name}{}`, schema: def.valueType, wrap: (value) => wrap({ x: value }) })];
    case 'union':
      return def.options.flatMap((option) => listPlaces({ name, schema: option, wrap }));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
      return listPlaces({ name, schema: def.innerType, wrap });
    case 'pipe':
      return listPlaces({ name, schema: def.in, wrap });
    default:
      return [];
  }
}

/** The request that a plan is asked of: a body as inference receives it, which has bounds of its own. */
const UNBOUNDED = new Set(['planBody.body']);

/** A value beyond the bound of a place. */
function exceed({ schema }: Place): unknown {
  const { type } = defOf(schema);
  if (type === 'string') return 'a?'.repeat(50_000);
  if (type === 'array') return Array.from({ length: 30_000 }, () => 'a?');
  return Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`m${index}`, 'a?']));
}

/** Counts what runs of a schema while a body is validated. */
function countRuns(schema: z.ZodType, body: object): { problems: readonly contracts.BodyProblem[] | undefined; runs: number } {
  const run = jest.spyOn(schema._zod, 'run');
  const parse = jest.spyOn(schema._zod, 'parse');
  try {
    const { problems } = validateBody(schema, body);
    return { problems, runs: run.mock.calls.length + parse.mock.calls.length };
  } finally {
    run.mockRestore();
    parse.mockRestore();
  }
}

it('knows the schemas of management', () => {
  expect(SCHEMAS.length).toBeGreaterThan(40);
});

it.each(SCHEMAS)('no check of %s runs on what is beyond a bound, wherever it is', (name, schema) => {
  const places = listPlaces({ name, schema, wrap: (value) => value }).filter((place) => !UNBOUNDED.has(place.name));
  const checked = places.map((place) => ({ place: place.name, ...countRuns(schema, place.wrap(exceed(place)) as object) }));
  const isRefused = ({ problems = [], runs }: (typeof checked)[number]): boolean =>
    runs === 0 && problems.length === 1 && /must have at most \d+ (characters|entries)/.test(problems[0]?.problem ?? '');

  expect(checked.filter((one) => !isRefused(one))).toEqual([]);
});

describe('a bound', () => {
  const slow = jest.fn(() => true);
  const schema = z.strictObject({
    text: z.string().trim().max(5).refine(slow).optional(),
    list: z.array(z.string().refine(slow)).max(3).optional(),
    map: z
      .record(z.string().refine(slow), z.string().refine(slow))
      .refine(...bounded({ entriesMax: 2 }))
      .optional(),
    whole: z
      .array(z.string().max(9).refine(slow))
      .max(9)
      .refine(...bounded({ jsonLengthMax: 20 }))
      .optional(),
    either: z
      .union([
        z.strictObject({ kind: z.literal('a'), a: z.string().max(4).refine(slow) }),
        z.strictObject({ kind: z.literal('b'), b: z.array(z.int()).max(2).refine(slow) }),
      ])
      .optional(),
    turned: z.string().max(4).transform(slow).optional(),
    free: z.string().regex(/^a*$/).optional(),
  });

  beforeEach(() => slow.mockClear());

  it.each([
    [{ text: 'abcdef' }, 'text', 'must have at most 5 characters'],
    [{ list: ['a', 'b', 'c', 'd'] }, 'list', 'must have at most 3 entries'],
    [{ map: { a: '', b: '', c: '' } }, 'map', 'must have at most 2 entries'],
    [{ whole: ['aaaaaaaa', 'aaaaaaaa'] }, 'whole', 'is not valid: must have at most 20 characters as JSON'],
    [{ either: { kind: 'a', a: 'aaaaa' } }, 'either.a', 'must have at most 4 characters'],
    [{ either: { kind: 'b', b: [1, 2, 3] } }, 'either.b', 'must have at most 2 entries'],
    [{ turned: 'aaaaa' }, 'turned', 'must have at most 4 characters'],
    [{ free: 'a'.repeat(4097) }, 'free', 'must have at most 4096 characters'],
  ])('of %j stops everything else', (body, field, problem) => {
    expect(validateBody(schema, body).problems).toEqual([{ field, problem, isUnknown: false }]);
    expect(slow).not.toHaveBeenCalled();
  });

  it('is met by what is as long as it may be, with blanks around what is trimmed', () => {
    const body = { text: `${' '.repeat(50)}abcde `, list: ['a', 'b', 'c'], map: { a: '', b: '' }, turned: 'aaaa', free: 'a'.repeat(4096) };
    expect(validateBody(schema, body).problems).toBeUndefined();
    expect(slow).toHaveBeenCalled();
  });
});

describe('a body that is read in turns', () => {
  const schema = z.strictObject({
    name: z.string(),
    list: z
      .array(z.strictObject({ n: z.int().default(1) }))
      .min(1)
      .max(9)
      .refine((all) => new Set(all.map(({ n }) => n)).size === all.length, 'has one twice')
      .optional(),
  });

  it.each([
    { name: 'a' },
    { name: 'a', list: [{}, { n: 2 }] },
    { name: 'a', list: [] },
    { name: 'a', list: [{}, { n: 1 }] },
    { name: 'a', list: [{ n: 'x' }, {}, 7] },
    { list: [{ m: 1 }], other: 1 },
    { name: 'a', list: 'x' },
    { name: 'a', list: Array.from({ length: 10 }, () => 'x') },
  ])('is read like any other: %j', async (body) => {
    const turns = jest.fn(() => undefined);
    const whole = validateBody(schema, body);
    const inTurns = await validateBodyInTurns(schema, body, turns);

    expect(inTurns.data).toEqual(whole.data);
    expect(new Set(inTurns.problems)).toEqual(new Set(whole.problems));
    expect(turns).toHaveBeenCalled();
  });
});
