import type { GroupDetail } from '../administration/lists';
import { findGroupErrors, planGroupChanges, toGroupForm } from './group-form';

const global = toGroupForm({ name: 'Research', monthly_limit: 20 } as GroupDetail);
const group = toGroupForm({ name: 'Research', monthly_limit: 20, monthly_budget: 50, monthly_budget_per_user: 0 } as GroupDetail);

describe('the form of a group', () => {
  it('sends nothing as it is', () => {
    expect([planGroupChanges(global, global), planGroupChanges(group, group)]).toEqual([{}, {}]);
  });

  it('sends to each endpoint what is its own, by the mode', () => {
    expect(planGroupChanges(global, { ...global, name: ' Search ', total: '30' })).toEqual({
      settings: { name: 'Search', monthly_limit: 30 },
    });
    expect(planGroupChanges(group, { ...group, total: '', perUser: '5' })).toEqual({
      budget: { monthly_budget: null },
      perUser: { monthly_budget_per_user: 5 },
    });
  });

  it('finds what the interface would refuse, and what is no amount', () => {
    expect(findGroupErrors(group, { ...group, name: '', total: 'much', perUser: '2000000000' })).toEqual({
      name: 'must not be empty',
      monthly_limit: 'Write an amount of USD, such as 50 or 12.50.',
      monthly_budget_per_user: 'At most $1,000,000,000.',
    });
    expect(findGroupErrors(global, { ...global, name: 'x'.repeat(201) })).toEqual({ name: 'must have at most 200 characters' });
  });
});
