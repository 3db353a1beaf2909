import type { GroupDetail, GroupMember } from '../administration/lists';
import { findMemberErrors, planMemberChanges, toMemberForm } from './member-form';

const group = { id: 'g1', monthly_budget: 50, monthly_budget_per_user: 10 } as GroupDetail;
const ann = { id: 'u1', role: 'member', monthly_budget: 10, monthly_limit: 0, rate_limit: 0 } as GroupMember;

describe('the form of a member in a group', () => {
  it('says what holds and from where', () => {
    expect(toMemberForm(group, ann)).toEqual({ role: 'member', bound: 'group', limit: '10', rate: '' });
    expect(toMemberForm(group, { ...ann, monthly_budget: 5 }).bound).toBe('own');
    expect(toMemberForm(group, { ...ann, monthly_budget: 0 }).bound).toBe('none');
  });

  it('sends what differs', () => {
    const was = toMemberForm(group, ann);

    expect(planMemberChanges(was, was)).toEqual({});
    expect(planMemberChanges(was, { role: 'admin', bound: 'own', limit: '7.5', rate: '60' })).toEqual({
      role: 'admin',
      limit: 7.5,
      rate: 60,
    });
    expect(planMemberChanges(was, { ...was, bound: 'none' })).toEqual({ limit: 0 });
    expect(planMemberChanges({ ...was, bound: 'own', rate: '5' }, was)).toEqual({ limit: null, rate: null });
  });

  it('needs an amount, and a rate as the interface takes it', () => {
    const was = toMemberForm(group, ann);

    expect(findMemberErrors(was, { role: 'member', bound: 'own', limit: '', rate: '1.5' })).toEqual({
      monthly_limit: 'Write an amount.',
      rate_limit: 'Write a whole number of requests.',
    });
    expect(findMemberErrors(was, { ...was, rate: '1000001' })).toEqual({ rate_limit: 'must be at most 1000000' });
    expect(findMemberErrors(was, was)).toEqual({});
  });
});
