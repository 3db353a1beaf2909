import type { Key } from '../administration/lists';
import { filterKeys, NONE } from './filter-keys';
import { readKeysSearch } from './keys-search';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const GROUP = '00000000-0000-4000-8000-000000000001';

function key(part: Partial<Key>): Key {
  return {
    id: part.name ?? 'id',
    name: 'key',
    monthly_limit: 0,
    monthly_spend: 0,
    permissions: { manage: 'none', completions: 'write', contents: 'none' },
    labels: {},
    created_by: null,
    group: null,
    access_list_id: null,
    status: 'active',
    priority: 'normal',
    share: 1,
    prefix: 'weir_live_abc',
    last4: 'wxyz',
    expires_at: null,
    created_at: '2026-11-01T00:00:00Z',
    last_used_at: null,
    ...part,
  };
}

const keys = [
  key({ name: 'crawler', group: { id: GROUP }, labels: { team: 'search' }, monthly_limit: 50, last_used_at: '2026-11-20T00:00:00Z' }),
  key({ name: 'laptop', created_by: { id: 'u1', email: 'ann@example.com' }, expires_at: '2026-11-30T00:00:00Z' }),
  key({ name: 'old', status: 'expired', expires_at: '2026-10-01T00:00:00Z' }),
];
const names = { groups: new Map([[GROUP, 'Research']]), nowMs: NOW };

describe('filterKeys', () => {
  it.each([
    [{}, ['crawler', 'laptop', 'old']],
    [{ search: 'RESEARCH' }, ['crawler']],
    [{ search: 'team=search crawl' }, ['crawler']],
    [{ search: 'ann@' }, ['laptop']],
    [{ group: GROUP }, ['crawler']],
    [{ group: NONE, state: 'active' }, ['laptop']],
    [{ member: 'u1' }, ['laptop']],
    [{ state: 'expired' }, ['old']],
    [{ state: 'expiring' }, ['laptop']],
    [{ state: 'unlimited' }, ['laptop', 'old']],
    [{ state: 'unused' }, ['laptop', 'old']],
  ])('finds for %p', (search, found) => {
    expect(filterKeys(keys, readKeysSearch(search), names).map(({ name }) => name)).toEqual(found);
  });

  it('finds the key whose number is searched for, not one whose random id has the digits', () => {
    const numbered = [
      key({ name: 'service 04711', id: '5d1f7c60-0b8e-4c5a-9a51-3f2a7be0c1d4' }),
      key({ name: 'service 00815', id: '8a047114-9f0c-4d1b-b7aa-e01204711f6b' }),
    ];
    const find = (search: string): string[] => filterKeys(numbered, { search }, names).map(({ name }) => name);
    expect(find('service 04711')).toEqual(['service 04711']);
    expect(find('8a047114-9f0c')).toEqual(['service 00815']);
  });

  it('takes from an address only what it knows', () => {
    expect(readKeysSearch({ state: 'lost', dialog: 'new', search: '', group: ['a', 'b'], more: '1' })).toEqual({
      dialog: 'new',
      group: 'a',
    });
  });
});
