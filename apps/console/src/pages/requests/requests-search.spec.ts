import { toListQuery } from './list-query';
import { listApplied, readRequestsSearch, withFilter, withoutFilter, withoutFilters } from './requests-search';

describe('the address of a list of requests', () => {
  it('is read as far as it can mean something', () => {
    const search = readRequestsSearch({
      ...{ status: ['ok', 'timeout'], model: 'a/b', label: ['team=a=b', 'team', '=x'], api_key_id: '' },
      ...{ min_cost: '1e-3', max_cost: '0.5', min_ms: '10', id: 'a b', start: '2026-13-01T00:00', end: '2026-11-02T00:00:00Z' },
      ...{ range: '2d', live: 'off', other: 'x' },
    });
    expect(search).toEqual({
      ...{ status: ['ok', 'timeout'], model: ['a/b'], label: ['team=a=b'] },
      ...{ max_cost: '0.5', min_ms: '10', end: '2026-11-02T00:00:00Z', live: 'off' },
    });
    expect(readRequestsSearch({})).toEqual({});
  });

  it('has a chip for each value, which comes and goes', () => {
    const search = readRequestsSearch({ model: ['a', 'b'], min_ms: '5', range: '1h' });
    expect(listApplied(search)).toEqual([
      { filter: 'model', value: 'a' },
      { filter: 'model', value: 'b' },
      { filter: 'min_ms', value: '5' },
    ]);
    expect(withoutFilter(search, { filter: 'model', value: 'a' })).toEqual({ model: ['b'], min_ms: '5', range: '1h' });
    expect(withoutFilter({ model: ['a'] }, { filter: 'model', value: 'a' })).toEqual({});
    expect(withoutFilter({ min_ms: '5' }, { filter: 'min_ms', value: '5' })).toEqual({});
    expect(withFilter(search, { filter: 'model', value: 'a' })).toEqual(search);
    expect(withFilter(search, { filter: 'min_ms', value: '6' })).toMatchObject({ min_ms: '6' });
    expect(withoutFilters({ ...search, live: 'off' })).toEqual({ range: '1h', live: 'off' });
  });

  it('becomes a query of the interface', () => {
    const now = new Date('2026-11-23T12:00:00Z');
    expect(toListQuery({ range: '24h', label: ['team=a', 'team=b=c', 'x=1'], min_ms: '10', live: 'off' }, now)).toEqual({
      start: '2026-11-22T12:00:00.000Z',
      label: { team: ['a', 'b=c'], x: ['1'] },
      min_ms: 10,
    });
    expect(toListQuery({ range: '24h', start: '2026-11-01T00:00:00Z', end: '2026-11-02T00:00:00Z', status: ['error'] }, now)).toEqual({
      start: '2026-11-01T00:00:00.000Z',
      end: '2026-11-02T00:00:00.000Z',
      status: ['error'],
    });
  });
});
