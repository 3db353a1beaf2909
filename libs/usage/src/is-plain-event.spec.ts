import { usageEvent } from '@weir/contracts';
import { makeUsageEvent } from '@weir/testing';
import * as fc from 'fast-check';
import { isPlainEvent, UNIT_NAMES } from './is-plain-event';

const event = makeUsageEvent();
const parse = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What the schema makes of it. */
function readBySchema(value: unknown): unknown {
  const result = usageEvent.safeParse(value);
  return result.success ? result.data : undefined;
}

/** Without the fields that the schema leaves out. */
function keepKnown(value: Record<string, unknown>): object {
  const known = Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(usageEvent.shape, name)));
  const units = Object.entries(value['units'] as object).filter(([name]) => (UNIT_NAMES as readonly string[]).includes(name));
  return { ...known, units: Object.fromEntries(units) };
}

/** Everything a field might hold by mistake, and what it may hold elsewhere. */
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    '0',
    '12',
    '-1',
    '1.5',
    '1\n',
    'chat',
    'ok',
    'provider',
    'router',
    'masked',
    'estimate',
    [],
    ['a'],
    [1],
    {},
  ),
  fc.constantFrom<unknown>(0, -0, 1, -1, 1.5, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1e300, { a: 'b' }, { a: 1 }, [null]),
  fc.jsonValue({ maxDepth: 1 }),
);
const anyName = fc.constantFrom(...Object.keys(usageEvent.shape), 'later_field', '__proto__', 'toString');
const anyUnit = fc.constantFrom<string>(...UNIT_NAMES, 'later_unit', '__proto__');

describe('the quick look at an event', () => {
  it('takes events as workers write them, with and without what is optional', () => {
    expect(isPlainEvent(parse(event))).toBe(true);
    expect(isPlainEvent(parse({ ...event, why: 'fallback', error_code: 'timeout', traceparent: '00-1', later_field: { deep: [1] } }))).toBe(
      true,
    );
    expect(
      isPlainEvent(parse({ ...event, units: { ...event.units, image_in: 3, image_out: 4 }, extra: { team: 'red' }, hold_scopes: ['s'] })),
    ).toBe(true);
  });

  it('says yes to nothing that the schema refuses, or reads as something else', () => {
    const changes = fc.array(fc.tuple(anyName, anyValue), { minLength: 1, maxLength: 3 });
    let yes = 0;
    fc.assert(
      fc.property(changes, fc.option(fc.tuple(anyUnit, anyValue)), fc.boolean(), (changed, unit, isLeftOut) => {
        const units = unit === null ? event.units : { ...event.units, ...Object.fromEntries([unit]) };
        const text = JSON.stringify({ ...event, units, ...Object.fromEntries(changed) });
        const value = JSON.parse(text) as Record<string, unknown>;
        if (isLeftOut && changed[0] !== undefined) delete value[changed[0][0]];
        if (!isPlainEvent(value)) return;
        yes += 1;
        expect(readBySchema(value)).toEqual(keepKnown(value));
      }),
      { numRuns: 6_000 },
    );
    expect(yes).toBeGreaterThan(100);
  });

  it.each(Object.keys(usageEvent.shape))('knows the field %s', (name) => {
    const isOptional = ['stream', 'why', 'error_code', 'traceparent', 'uncharged', 'doubted', 'hold_uncounted'].includes(name);
    const { [name]: _left, ...without } = parse(event) as Record<string, unknown>;
    expect(isPlainEvent(without)).toBe(isOptional);
    expect(isPlainEvent({ ...without, [name]: { no: ['field', 'is', 'this'] } })).toBe(false);
  });

  it('knows every unit', () => {
    expect([...UNIT_NAMES].sort()).toEqual(Object.keys(usageEvent.shape.units.shape).sort());
    for (const name of UNIT_NAMES) expect(isPlainEvent({ ...event, units: { ...event.units, [name]: -1 } })).toBe(false);
  });

  it.each(['{"__proto__":"x"}', '{"a":1}', '[]', 'null'])('leaves extra fields like %s to the schema', (extra) => {
    expect(isPlainEvent({ ...event, extra: JSON.parse(extra) as unknown })).toBe(false);
  });

  it.each([null, 1, 'text', [event]])('leaves what is no object to the schema: %p', (value) => {
    expect(isPlainEvent(value)).toBe(false);
  });
});
