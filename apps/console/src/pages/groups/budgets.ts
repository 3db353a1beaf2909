import { findRows } from '../../find-words';
import { listLabels } from '../administration/labels';
import type { BudgetMode, Group, GroupDetail, GroupMember } from '../administration/lists';

/** What bounds a member in a group, and whether it is their own. */
export type MemberBound = {
  readonly limit: number | undefined;
  readonly isOwn: boolean;
};

type Budgeted = Pick<Group, 'monthly_limit' | 'monthly_budget' | 'monthly_budget_per_user'>;

/** Group budgets are there in Group Budget mode alone, so a group says itself in which mode its organization is. */
export function modeOf(group: Budgeted): BudgetMode {
  return group.monthly_budget === undefined ? 'global' : 'group';
}

/** What all keys of the group together are bound by; in Global mode nothing. */
export function totalOf(group: Budgeted): number | undefined {
  return orUndefined(group.monthly_budget);
}

export function perMemberOf(group: Budgeted): number | undefined {
  return orUndefined(modeOf(group) === 'group' ? group.monthly_budget_per_user : group.monthly_limit);
}

export function boundOf(group: GroupDetail, member: GroupMember): MemberBound {
  const limit = orUndefined(modeOf(group) === 'group' ? member.monthly_budget : member.monthly_limit);
  return { limit, isOwn: limit !== perMemberOf(group) };
}

export function filterGroups(groups: readonly Group[], search: string | undefined): Group[] {
  return findRows(groups, search, ({ id, name, labels }) => ({ id, texts: [name, ...listLabels(labels)] }));
}

function orUndefined(limit: number | undefined): number | undefined {
  return limit === undefined || limit === 0 ? undefined : limit;
}
