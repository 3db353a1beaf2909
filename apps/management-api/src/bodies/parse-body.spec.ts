import { z } from 'zod';
import { parseBody } from './parse-body';

const schema = z.strictObject({
  name: z.string().min(1).max(10).default('x'),
  must: z.string(),
  amount: z.number().positive().max(5).multipleOf(0.5).optional(),
  count: z.int().min(2).optional(),
  isOn: z.boolean().optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
  map: z.record(z.string().max(2), z.string()).optional(),
  role: z.enum(['owner', 'member']).optional(),
  one: z.literal('fixed').optional(),
  mail: z.email().optional(),
  id: z.uuid().optional(),
  when: z.iso.datetime().optional(),
  day: z.iso.date().optional(),
  address: z.url().optional(),
  code: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
  short: z.string().regex(/^x/, 'must begin with x').optional(),
  either: z.union([z.string(), z.number(), z.null()]).optional(),
  form: z.union([z.strictObject({ a: z.int() }), z.strictObject({ b: z.string() })]).optional(),
  date: z.date().optional(),
  own: z
    .string()
    .refine(() => false, { message: 'give a key or a group, not both' })
    .optional(),
});

function refuse(body: unknown): string {
  try {
    parseBody(schema, body);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the body was taken');
}

describe('a refused body', () => {
  it.each([
    [{}, '`must` is required and must be text.'],
    [{ must: 1 }, '`must` must be text.'],
    [{ must: null }, '`must` must be text.'],
    [{ must: '', name: '' }, '`name` must not be empty.'],
    [{ must: '', name: 'x'.repeat(11) }, '`name` must have at most 10 characters.'],
    [{ must: '', amount: 'x' }, '`amount` must be a number.'],
    [{ must: '', amount: 0 }, '`amount` must be greater than 0.'],
    [{ must: '', amount: 6 }, '`amount` must be at most 5.'],
    [{ must: '', amount: 0.3 }, '`amount` must be a multiple of 0.5.'],
    [{ must: '', count: 2.5 }, '`count` must be a whole number.'],
    [{ must: '', count: 1 }, '`count` must be at least 2.'],
    [{ must: '', isOn: 'yes' }, '`isOn` must be true or false.'],
    [{ must: '', list: 'x' }, '`list` must be a list.'],
    [{ must: '', list: [] }, '`list` must not be empty.'],
    [{ must: '', list: ['1', '2', '3'] }, '`list` must have at most 2 entries.'],
    [{ must: '', list: ['1', 2] }, '`list.1` must be text.'],
    [{ must: '', map: { abc: 'x' } }, '`map.abc` has a name that is not allowed here: it must have at most 2 characters.'],
    [{ must: '', map: [] }, '`map` must be an object.'],
    [{ must: '', role: 'king' }, '`role` must be "owner" or "member".'],
    [{ must: '', one: 'other' }, '`one` must be "fixed".'],
    [{ must: '', mail: 'x' }, '`mail` must be an email address.'],
    [{ must: '', id: 'x' }, '`id` must be an id of the form 00000000-0000-4000-8000-000000000000.'],
    [{ must: '', when: 'yesterday' }, '`when` must be an RFC 3339 time such as 2026-08-07T00:00:00Z.'],
    [{ must: '', day: 'x' }, '`day` must be a day such as 2026-08-07.'],
    [{ must: '', address: 'x' }, '`address` must be an address such as https://example.com.'],
    [{ must: '', code: '1' }, '`code` must match the pattern /^[a-z]+$/.'],
    [{ must: '', short: '1' }, '`short` must begin with x.'],
    [{ must: '', either: true }, '`either` must be text, a number or null.'],
    [{ must: '', form: { a: 'x' } }, '`form.a` must be a number.'],
    [{ must: '', form: {} }, '`form.a` is required and must be a number.'],
    [{ must: '', form: 7 }, '`form` must be an object.'],
    [{ must: '', date: 'x' }, '`date` must be of the type date.'],
    [{ must: '', own: 'x' }, '`own` is not valid: give a key or a group, not both.'],
    [{ other: 1 }, 'Unknown field `other`.'],
    [[], 'The body must be a JSON object.'],
  ])('refuses %j with: %s', (body, message) => {
    expect(refuse(body)).toBe(message);
  });

  it('never speaks in the words of the validator', () => {
    for (const name of Object.keys(schema.shape)) {
      for (const value of [undefined, null, 7, 'x'.repeat(20), true, [], {}, [1]]) {
        const result = schema.safeParse({ must: 'm', [name]: value });
        if (!result.success) expect(refuse({ must: 'm', [name]: value })).not.toMatch(/invalid|expected|received|undefined/i);
      }
    }
  });
});
