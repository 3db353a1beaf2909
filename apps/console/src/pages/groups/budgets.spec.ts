import type { Group, GroupDetail, GroupMember } from '../administration/lists';
import { boundOf, filterGroups, modeOf, perMemberOf, totalOf } from './budgets';
import { readGroupsSearch } from './groups-search';

const base = {
  id: 'g1',
  organization_id: 'o1',
  name: 'Research',
  created_by: null,
  created_at: '2026-11-01T00:00:00Z',
  labels: { cost: '42' },
  access_list_id: null,
};
const ann: GroupMember = {
  id: 'u1',
  email: 'ann@example.com',
  role: 'member',
  monthly_spend: 1,
  active: true,
  monthly_limit: 20,
  rate_limit: 0,
};

describe('budgets', () => {
  it('of Group Budget mode are of the group and of each member', () => {
    const group: GroupDetail = { ...base, monthly_budget: 50, monthly_budget_per_user: 0, members: [] };

    expect([modeOf(group), totalOf(group), perMemberOf(group)]).toEqual(['group', 50, undefined]);
    expect(boundOf(group, { ...ann, monthly_budget: 5 })).toEqual({ limit: 5, isOwn: true });
    expect(boundOf(group, { ...ann, monthly_budget: 0 })).toEqual({ limit: undefined, isOwn: false });
  });

  it('of Global mode are of each member', () => {
    const group: GroupDetail = { ...base, monthly_limit: 20, members: [] };

    expect([modeOf(group), totalOf(group), perMemberOf(group)]).toEqual(['global', undefined, 20]);
    expect(boundOf(group, ann)).toEqual({ limit: 20, isOwn: false });
  });
});

describe('the search of groups', () => {
  const groups: Group[] = [{ ...base, members_count: 1, monthly_spend: 0 }];

  it.each([
    [undefined, 1],
    ['resea', 1],
    ['cost=42 RES', 1],
    ['sales', 0],
  ])('%p finds %p', (search, count) => {
    expect(filterGroups(groups, search)).toHaveLength(count);
  });

  it('is read from the address', () => {
    expect(readGroupsSearch({ search: 'a', dialog: 'old', x: '1' })).toEqual({ search: 'a' });
  });
});
