import { setLimitBody, setMemberRoleBody, setRateLimitBody } from '@weir/contracts';
import { checkBody, mergeErrors, type FieldErrors } from '../../api/check-body';
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

export function findMemberErrors(was: MemberForm, form: MemberForm): FieldErrors {
  const { role, limit, rate } = planMemberChanges(was, form);
  const isOwn = form.bound === 'own';
  const missing = isOwn && form.limit.trim() === '' ? 'Write an amount.' : undefined;
  return mergeErrors(
    { monthly_limit: isOwn ? (amountError(form.limit) ?? missing) : undefined },
    role === undefined ? {} : checkBody(setMemberRoleBody, { role }),
    limit === undefined ? {} : checkBody(setLimitBody, { monthly_limit: limit }),
    rate === undefined ? {} : checkBody(setRateLimitBody, { rate_limit: rate }, { rate_limit: findRateError(form.rate) }),
  );
}

function findRateError(typed: string): string | undefined {
  return /^\d*$/.test(typed) ? undefined : 'Write a whole number of requests.';
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
