import { amountError, amountOf, writeAmount } from '../administration/amounts';
import type { GroupDetail, GroupMember } from '../administration/lists';
import { boundOf } from './budgets';

/** Role, limit and rate of a member of a group, as typed. */
export type MemberForm = {
  readonly role: GroupMember['role'];
  readonly bound: 'group' | 'none' | 'own';
  readonly limit: string;
  readonly rate: string;
};

export function toMemberForm(group: GroupDetail, member: GroupMember): MemberForm {
  const { limit, isOwn } = boundOf(group, member);
  const own = limit === undefined ? 'none' : 'own';
  return {
    role: member.role,
    bound: isOwn ? own : 'group',
    limit: writeAmount(limit),
    rate: member.rate_limit === 0 ? '' : String(member.rate_limit),
  };
}

export function findMemberErrors({ bound, limit, rate }: MemberForm): { limit: string | undefined; rate: string | undefined } {
  const missing = limit.trim() === '' ? 'Write an amount.' : undefined;
  return {
    limit: bound === 'own' ? (amountError(limit) ?? missing) : undefined,
    rate: /^\d{0,7}$/.test(rate) ? undefined : 'A whole number of requests.',
  };
}

export type MemberChanges = {
  readonly role?: GroupMember['role'];
  /** Null is the group's again, 0 no limit. */
  readonly limit?: number | null;
  readonly rate?: number | null;
};

export function planMemberChanges(was: MemberForm, form: MemberForm): MemberChanges {
  const limit = limitOf(form);
  return {
    ...(form.role === was.role ? {} : { role: form.role }),
    ...(form.bound === was.bound && limit === limitOf(was) ? {} : { limit }),
    ...(form.rate === was.rate ? {} : { rate: form.rate === '' ? null : Number(form.rate) }),
  };
}

function limitOf({ bound, limit }: MemberForm): number | null {
  if (bound === 'group') return null;
  return bound === 'none' ? 0 : amountOf(limit);
}
