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
    ['more often than there is room for, always the same', { group_by: Array(30).fill('user_id') }, ['user_id']],
    ['long with commas', { group_by: LONG_LABELS.join() }, LONG_LABELS],
  ])('group_by is accepted %s', (_, more, expected) => {
    expect(parseUsageQuery({ start, ...more }, scope).groupBy).toEqual(expected);
  });

  test('the last hour that can be told is taken', () => {
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
