import { readAuditSearch, toQuery, withFilter } from './audit-search';
import { countSame, describeAction, findDifferences, nameTarget, summarize } from './describe-entry';

describe('a difference', () => {
  const entry = {
    before: { name: 'team', labels: { team: 'a', old: 'x' }, monthly_limit: '5', models: ['a', 'b'], nested: [{ id: 1 }] },
    after: { name: 'team', labels: { team: 'b' }, monthly_limit: null, models: ['a', 'c'], nested: [{ id: 2 }] },
  };

  it('is field by field, however deep', () => {
    expect(findDifferences(entry)).toEqual([
      { field: 'labels.team', before: 'a', after: 'b' },
      { field: 'labels.old', before: 'x', after: undefined },
      { field: 'monthly_limit', before: '5', after: '(none)' },
      { field: 'models', before: 'a, b', after: 'a, c' },
      { field: 'nested.0.id', before: '1', after: '2' },
    ]);
    expect(countSame(entry)).toBe(1);
    expect(summarize(entry)).toBe('labels.team, labels.old, monthly_limit and 2 more');
  });

  it('of what was made or removed is all there is of it', () => {
    const made = { before: null, after: { name: 'new', permissions: { manage: 'none' } } };
    expect(findDifferences(made)).toEqual([
      { field: 'name', before: undefined, after: 'new' },
      { field: 'permissions.manage', before: undefined, after: 'none' },
    ]);
    expect(summarize(made)).toBe('');
    expect(findDifferences({ before: null, after: null })).toEqual([]);
  });
});

it('names what was changed by what it was called then', () => {
  const target = { kind: 'group', id: 'id' };
  expect(nameTarget({ target, before: { name: 'old' }, after: { name: 'new' } })).toBe('new');
  expect(nameTarget({ target, before: { user_email: 'a@b.example' }, after: null })).toBe('a@b.example');
  expect(nameTarget({ target, before: null, after: null })).toBe('id');
  expect(describeAction('set-api-key-limit')).toBe('Set API key limit');
});

describe('the address', () => {
  it('keeps what a filter can mean', () => {
    expect(readAuditSearch({ action: 'x', start: 'yesterday', end: '2026-11-02', entry: '12', surprise: 'y' })).toEqual({
      ...{ action: 'x', end: '2026-11-02', entry: '12' },
    });
    expect(readAuditSearch({ start: '2026-13-40' })).toEqual({});
    expect(withFilter({ action: 'x', search: 'y' }, 'action', '')).toEqual({ search: 'y' });
  });

  it('asks for whole days', () => {
    expect(toQuery({ start: '2026-11-01', end: '2026-11-01', search: ' a ' })).toEqual({
      ...{ start: '2026-11-01T00:00:00Z', end: '2026-11-02T00:00:00.000Z', search: 'a' },
    });
    expect(toQuery({ search: '  ' })).toEqual({});
  });
});
