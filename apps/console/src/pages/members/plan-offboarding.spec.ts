import type { GroupDetail, Key, Member } from '../administration/lists';
import { readMembersSearch } from './members-search';
import { filterMembers, planOffboarding } from './plan-offboarding';

const ann: Member = { user_id: 'u1', user_email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee', role: 'admin' };
const key = (id: string, owner: string | null): Key =>
  ({ id, created_by: owner === null ? null : { id: owner, email: `${owner}@example.com` } }) as Key;
const group = (id: string, ...members: string[]): GroupDetail =>
  ({ id, name: id.toUpperCase(), members: members.map((member) => ({ id: member })) }) as GroupDetail;

describe('offboarding', () => {
  it('ends the keys and places of the member, and no one else’s', () => {
    const plan = planOffboarding(ann, [key('k1', 'u1'), key('k2', 'u2'), key('k3', null)], [group('g1', 'u1', 'u2'), group('g2', 'u2')]);

    expect(plan.keys.map(({ id }) => id)).toEqual(['k1']);
    expect(plan.groups).toEqual([{ id: 'g1', name: 'G1' }]);
    expect(plan.administers).toBe(true);
  });
});

describe('the search of members', () => {
  it.each([
    ['ann', 1],
    ['lee ann', 1],
    ['bob', 0],
    [undefined, 1],
  ])('%p finds %p', (search, count) => {
    expect(filterMembers([ann], search)).toHaveLength(count);
  });

  it('is read from the address', () => {
    expect(readMembersSearch({ search: 'ann', dialog: 'invite' })).toEqual({ search: 'ann', dialog: 'invite' });
    expect(readMembersSearch({ dialog: 'x' })).toEqual({});
  });
});
