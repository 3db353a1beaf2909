import { parseGenerationQuery } from './parse-generation-query';
import { encodeGenerationCursor } from './generation-cursor';

const SCOPE = { organizationId: 'org', own: null };
const parse = (input: Record<string, unknown>) => parseGenerationQuery(input, SCOPE);
const NO_FILTERS = { fields: [], labels: [], extra: [] };
const ID = '4B1F0C1E-5A52-4C0E-9D5E-0A5B0C9D1E0D';

it('asks for the newest fifty of everything unless parameters say otherwise', () => {
  expect(parse({})).toEqual({ ...SCOPE, limit: 50, filters: NO_FILTERS });
});

it('reads every filter, alternatives once and ids in lower case', () => {
  const query = parse({
    ...{ limit: '200', order: 'desc', start: '2026-08-07t00:00:00 02:00', end: '2026-08-08T00:00:00.0001Z', id: 'req-' },
    ...{ model: ['a/b', 'a/b', 'c'], api_key_id: ID, group_id: ['Unknown', ID], status: ['ok', 'timeout'], modality: 'chat' },
    ...{ 'label.te.am': ['x', "o'y"], 'label[a]': '1', 'extra.__proto__': 'z', min_cost: '0.000000000001', max_cost: '2' },
    ...{ min_ms: '0', max_ms: '1000' },
  });
  expect(query).toEqual({
    ...SCOPE,
    ...{ limit: 200, startMs: Date.UTC(2026, 7, 6, 22), endMs: Date.UTC(2026, 7, 8) + 1 },
    filters: {
      fields: [
        { field: 'model', values: ['a/b', 'c'] },
        { field: 'api_key_id', values: [ID.toLowerCase()] },
        { field: 'group_id', values: ['Unknown', ID.toLowerCase()] },
        { field: 'modality', values: ['chat'] },
      ],
      statuses: ['ok', 'timeout'],
      labels: [
        { name: 'te.am', values: ['x', "o'y"] },
        { name: 'a', values: ['1'] },
      ],
      extra: [{ name: '__proto__', values: ['z'] }],
      ...{ minCostPico: 1n, maxCostPico: 2_000_000_000_000n, minMs: 0, maxMs: 1000, idPrefix: 'req-' },
    },
  });
});

it('takes `error` for every status but ok', () => {
  expect(parse({ status: 'error' }).filters.statuses).toEqual(expect.arrayContaining(['timeout', 'aborted_crash']));
  expect(parse({ status: 'error' }).filters.statuses).not.toContain('ok');
});

it('goes on from cursors, each where it was made for', () => {
  const since = { atMs: 5, mark: 77n };
  const before = { admittedAtMs: 1, requestId: 'a.b' };
  expect(parse({ after: encodeGenerationCursor({ since }) })).toEqual({ ...SCOPE, limit: 50, since, filters: NO_FILTERS });
  expect(parse({ cursor: encodeGenerationCursor({ since, before }) })).toMatchObject({ since, before });
});

it.each<[string, Record<string, unknown>]>([
  ['lable.team', { 'lable.team': 'x' }],
  ['limt', { limt: '5', limit: 'x' }],
  ['__proto__', JSON.parse('{"__proto__": "x"}') as Record<string, unknown>],
  ['label', { label: 'x' }],
  ['label.', { 'label.': 'x' }],
  ['label.team', { 'label.team': '' }],
  ['label.team', { 'label.team': 'a\0b' }],
  ['label.te\0am', { 'label.te\0am': 'a' }],
  ['label.team', { 'label.team': { nested: 'x' } }],
  ['label', Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`label.l${at}`, 'x']))],
  ['limit', { limit: '0' }],
  ['limit', { limit: '201' }],
  ['limit', { limit: '1.5' }],
  ['limit', { limit: ['1', '2'] }],
  ['order', { order: 'asc' }],
  ['start', { start: 'yesterday' }],
  ['start', { start: ['2026-08-07T00:00:00Z', '2026-08-07T00:00:00Z'] }],
  ['end', { start: '2026-08-07T00:00:00Z', end: '2026-08-07T00:00:00Z' }],
  ['status', { status: 'fine' }],
  ['status', { status: ['ok', 'fine'] }],
  ['modality', { modality: 'smell' }],
  ['api_key_id', { api_key_id: "1' OR '1'='1" }],
  ['api_key_id', { api_key_id: 'Unknown' }],
  ['user_id', { user_id: 'me' }],
  ['model', { model: '' }],
  ['model', { model: 'x'.repeat(513) }],
  ['model', { model: Array(51).fill('x') }],
  ['end_user', { end_user: 'a\0' }],
  ['min_cost', { min_cost: '1e-3' }],
  ['min_cost', { min_cost: '-1' }],
  ['max_cost', { max_cost: '0.0000000000001' }],
  ['min_ms', { min_ms: '-1' }],
  ['max_ms', { max_ms: 'soon' }],
  ['id', { id: "x'%" }],
  ['cursor', { cursor: 'x' }],
  ['cursor', { cursor: encodeGenerationCursor({ since: { atMs: 1, mark: 1n } }) }],
  ['after', { after: encodeGenerationCursor({ before: { admittedAtMs: 1, requestId: 'r' } }) }],
  ['after', { after: 'x', cursor: 'x' }],
])('refuses a wrong %s by name', (field, input) => {
  expect(() => parse(input)).toThrow(
    expect.objectContaining({ code: 'invalid_request', details: expect.objectContaining({ field }) as unknown }),
  );
});
