import { readRequestMetadata } from './read-request-metadata';

const NOTHING = { originTitle: null, endUserId: null, traceId: null, extra: {} };

it('is empty where the request has none', () => {
  expect(readRequestMetadata({ 'x-weir-strict': 'true', 'x-weir-cache': 'on' }, { weir: null })).toEqual(NOTHING);
});

it('is read from headers, and from the body under either name', () => {
  const reported = { tags: ['a', 'b'], user_id: 'u', trace_id: 't', extra: { team: 'x', seats: 3, beta: true } };
  const extra = { project: 'p', tags: 'a,b', team: 'x', seats: '3', beta: 'true' };

  for (const body of [{ weir: reported }, { requesty: reported }]) {
    expect(readRequestMetadata({ 'x-title': 'T', 'x-requesty-project': 'p' }, body)).toEqual({
      originTitle: 'T',
      endUserId: 'u',
      traceId: 't',
      extra,
    });
  }
});

it.each([
  [{ user: 'a', safety_identifier: 'b', weir: { user_id: 'c' } }, 'c'],
  [{ user: 'a', safety_identifier: 'b' }, 'b'],
  [{ user: 'a', metadata: { user_id: 'd' } }, 'a'],
  [{ metadata: { user_id: 'd' } }, 'd'],
  [{ metadata: 'none', user: '' }, null],
])('finds the end user in %j', (body, endUserId) => {
  expect(readRequestMetadata({}, body).endUserId).toBe(endUserId);
});

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'v']));

it.each<[string, object, Record<string, string>]>([
  ['weir', { weir: 'x' }, {}],
  ['weir.extra', { weir: { extra: [] } }, {}],
  ['weir.extra', { weir: { extra: fields(21) } }, {}],
  ['weir.extra.a b', { weir: { extra: { 'a b': 'x' } } }, {}],
  ['weir.extra.a', { weir: { extra: { a: {} } } }, {}],
  ['weir.extra.__proto__', JSON.parse('{"weir":{"extra":{"__proto__":"x"}}}') as object, {}],
  ['x-weir-__proto__', {}, { ['x-weir-__proto__']: 'x' }],
  ['weir.extra.a', { weir: { extra: { a: 'x'.repeat(65) } } }, {}],
  ['x-weir-team', {}, { 'x-weir-team': 'x'.repeat(65) }],
  ['weir.tags', { weir: { tags: 'a' } }, {}],
  ['weir.tags', { weir: { tags: [1] } }, {}],
  ['weir.tags', { weir: { tags: ['x'.repeat(65)] } }, {}],
  ['weir.user_id', { weir: { user_id: 5 } }, {}],
  ['weir.trace_id', { weir: { trace_id: 'x'.repeat(257) } }, {}],
])('names %s as what is wrong with %j', (field, body, headers) => {
  expect(() => readRequestMetadata(headers, { ...body })).toThrow(
    expect.objectContaining({ code: 'invalid_request', details: { field } }) as Error,
  );
});

it('takes twenty fields', () => {
  expect(Object.keys(readRequestMetadata({}, { weir: { extra: fields(20) } }).extra)).toHaveLength(20);
});
