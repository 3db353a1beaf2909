import { GatewayError } from '@weir/errors';
import { DIMENSIONS } from './dimensions';
import { parseUsageQuery } from './parse-usage-query';
import { DAY_MS } from './period-key';

const scope = { organizationId: 'org' };
const start = '2026-08-07T00:00:00Z';
const startMs = Date.parse(start);
const LONG_LABELS = ['a', 'b', 'c', 'd'].map((name) => `api_key_label.${name.repeat(60)}`);
const EVERY = DIMENSIONS.map(({ match, name }) => (match === 'prefix' ? `${name}f` : name));

function refusal(input: Record<string, unknown>): GatewayError {
  try {
    parseUsageQuery(input, scope);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('usage parameters', () => {
  test('only `start` is needed: 24 hours by day', () => {
    expect(parseUsageQuery({ start }, scope)).toEqual({
      organizationId: 'org',
      startMs,
      endMs: startMs + DAY_MS,
      resolution: 'day',
      groupBy: [],
    });
  });

  test('times with an offset are understood, also when the query string made its plus a space', () => {
    expect(parseUsageQuery({ start: '2026-08-07T02:00:00+02:00' }, scope).startMs).toBe(startMs);
    expect(parseUsageQuery({ start: '2026-08-07T02:00:00 02:00' }, scope).startMs).toBe(startMs);
  });

  test.each([
    ['one', { group_by: 'model_used' }, ['model_used']],
    ['repeated', { group_by: ['model_used', 'api_key_id', 'model_used'] }, ['model_used', 'api_key_id']],
    ['with brackets', { 'group_by[]': ['extra.team', 'group_label.cost-center'] }, ['extra.team', 'group_label.cost-center']],
    ['one with brackets', { 'group_by[]': 'is_byok' }, ['is_byok']],
    ['with commas', { group_by: 'model_used,user_id' }, ['model_used', 'user_id']],
    ['with every dimension', { group_by: EVERY }, EVERY],
    ['more often than the maximum, always the same', { group_by: Array(30).fill('user_id') }, ['user_id']],
    ['long with commas', { group_by: LONG_LABELS.join() }, LONG_LABELS],
  ])('group_by is accepted %s', (_, more, expected) => {
    expect(parseUsageQuery({ start, ...more }, scope).groupBy).toEqual(expected);
  });

  test('an instant between two milliseconds counts as the later one, so that ranges which meet there share nothing', () => {
    const between = '2026-08-07T10:15:00.123456+00:00';
    const atMs = Date.parse('2026-08-07T10:15:00.124Z');
    expect(parseUsageQuery({ start: between }, scope)).toMatchObject({ startMs: atMs, endMs: atMs + DAY_MS });
    expect(parseUsageQuery({ start, end: between }, scope)).toMatchObject({ startMs, endMs: atMs });
    expect(parseUsageQuery({ start: '2026-08-07T10:15:00.123000Z' }, scope).startMs).toBe(atMs - 1);
  });

  const ID = 'AAAAAAAA-aaaa-4aaa-8aaa-aaaaaaaaaaaa';

  test.each([
    ['in a query', { 'filter[model_used]': 'a/b' }, [{ name: 'model_used', values: ['a/b'] }]],
    [
      'repeated, with brackets and commas in a value',
      { 'filter[user_id]': ['b,c', 'a', 'a'], 'filter[user_id][]': 'd' },
      [{ name: 'user_id', values: ['a', 'b,c', 'd'] }],
    ],
    [
      'in a body',
      { filter: { 'extra.team': ['red', 'Unknown'], is_byok: 'true' } },
      [
        { name: 'extra.team', values: ['Unknown', 'red'] },
        { name: 'is_byok', values: ['true'] },
      ],
    ],
    [
      'in both, where the body wins for a dimension and no other is lost',
      { 'filter[model_used]': 'a', 'filter[user_id]': 'u', filter: { model_used: 'b' } },
      [
        { name: 'model_used', values: ['b'] },
        { name: 'user_id', values: ['u'] },
      ],
    ],
    ['an id in capital letters', { 'filter[group_id]': ID }, [{ name: 'group_id', values: [ID.toLowerCase()] }]],
    ['an empty text', { 'filter[api_key_label.team]': '' }, [{ name: 'api_key_label.team', values: [''] }]],
  ])('filters are accepted %s', (_, more, expected) => {
    expect(parseUsageQuery({ start, ...more }, scope).filters).toEqual(expected);
  });

  test('every dimension that usage can be grouped by can be filtered by, and its missing value too', () => {
    for (const name of EVERY) {
      expect(parseUsageQuery({ start, [`filter[${name}]`]: 'Unknown' }, scope).filters).toEqual([{ name, values: ['Unknown'] }]);
    }
  });

  test.each([
    ['an unknown dimension', { 'filter[colour]': 'red' }, 'filter'],
    ['no dimension', { 'filter[]': 'red' }, 'filter'],
    ['a filter that is no object', { filter: 'model_used' }, 'filter'],
    ['a filter that is a list', { filter: ['model_used'] }, 'filter'],
    ['too many dimensions', { filter: Object.fromEntries(Array.from({ length: 21 }, (__, at) => [`extra.f${at}`, 'x'])) }, 'filter'],
    ['a name of objects', JSON.parse('{"filter":{"__proto__":"x"}}') as Record<string, unknown>, 'filter'],
    ['no value', { filter: { model_used: [] } }, 'filter[model_used]'],
    ['a value that is no text', { filter: { model_used: [1] } }, 'filter[model_used]'],
    ['a value that is null', { filter: { model_used: null } }, 'filter[model_used]'],
    ['too many values', { filter: { model_used: Array.from({ length: 101 }, (__, at) => `m${at}`) } }, 'filter[model_used]'],
    ['a long value', { 'filter[user_id]': 'x'.repeat(513) }, 'filter[user_id]'],
    ['NUL', { 'filter[user_id]': 'a\0' }, 'filter[user_id]'],
    ['an id that is none', { 'filter[api_key_id]': 'mine' }, 'filter[api_key_id]'],
    ['neither true nor false', { 'filter[is_byok]': 'yes' }, 'filter[is_byok]'],
  ])('a filter with %s is refused, naming the field', (_, more, field) => {
    const error = refusal({ start, ...more });
    expect([error.code, error.details.field]).toEqual(['invalid_request', field]);
    expect(error.message).toContain(`\`${field}\``);
  });

  test('an unknown dimension is refused with the names of all that are known', () => {
    const { message } = refusal({ start, 'filter[colour]': 'red' });
    for (const { name } of DIMENSIONS) expect(message).toContain(name);
  });

  test('the last hour that can be written is taken', () => {
    expect(parseUsageQuery({ start: '9999-12-31T00:00:00Z', end: '9999-12-31T23:00:00Z' }, scope).endMs).toBe(253_402_297_200_000);
  });

  test.each(DIMENSIONS.map((dimension) => [dimension.match === 'prefix' ? `${dimension.name}x` : dimension.name]))('knows %s', (name) => {
    expect(parseUsageQuery({ start, group_by: name }, scope).groupBy).toEqual([name]);
  });

  test.each([
    ['no start', {}, 'start'],
    ['a date only', { start: '2026-08-07' }, 'start'],
    ['end before start', { start, end: '2026-08-06T00:00:00Z' }, 'end'],
    ['end at start', { start, end: start }, 'end'],
    ['an end whose hour is over in a year of five digits', { start: '9999-12-31T00:00:00Z', end: '9999-12-31T23:00:01Z' }, 'end'],
    ['an end in a year of five digits', { start: '9999-12-31T00:00:00Z', end: '9999-12-31T23:00:00-05:00' }, 'end'],
    ['a start whose day ends in a year of five digits', { start: '9999-12-31T12:00:00Z' }, 'start'],
    ['a start before the years are counted', { start: '0000-01-01T00:00:00+05:00', end: '0000-01-02T00:00:00Z' }, 'start'],
    ['more than 100 days', { start, end: '2026-11-15T00:00:01Z' }, 'end'],
    ['another resolution', { start, resolution: 'week' }, 'resolution'],
    ['an unknown dimension', { start, group_by: 'color' }, 'group_by'],
    ['a prefix without field', { start, group_by: 'extra.' }, 'group_by'],
    ['a field with SQL', { start, group_by: "extra.a'--" }, 'group_by'],
    ['too many dimensions', { start, group_by: Array.from({ length: 21 }, (_, at) => `extra.f${at}`) }, 'group_by'],
    ['too many dimensions with commas', { start, group_by: Array.from({ length: 21 }, (_, at) => `extra.f${at}`).join() }, 'group_by'],
    ['an unknown parameter', { start, limit: '5' }, 'limit'],
  ])('%s is refused, naming the field', (_, input, field) => {
    const error = refusal(input);
    expect(error.code).toBe('invalid_request');
    expect(error.details.field).toBe(field);
    expect(error.message).toContain(`\`${field}\``);
  });

  test('exactly 100 days are allowed', () => {
    expect(parseUsageQuery({ start, end: new Date(startMs + 100 * DAY_MS).toISOString() }, scope).endMs).toBe(startMs + 100 * DAY_MS);
  });

  test('the scope comes from the route, never from the parameters', () => {
    expect(refusal({ start, organizationId: 'other' }).details.field).toBe('organizationId');
  });
});

describe('a start that cannot be read', () => {
  it('is not said to be missing, and one that is missing is', () => {
    expect(() => parseUsageQuery({ start: 'yesterday' }, scope)).toThrow('`start` must be an RFC 3339 time such as 2026-08-07T00:00:00Z.');
    expect(() => parseUsageQuery({}, scope)).toThrow('`start` is required: an RFC 3339 time');
  });
});
