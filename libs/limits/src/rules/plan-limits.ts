import type { KeyRecord } from '@weir/access';
import { groupMemberScopeId } from '@weir/usage';
import type { PlannedLimit } from './planned-limit';
import { BALANCE_SCOPE, monthlyScope, monthOf, type MonthlyKind } from '../holds/scope-name';

export type LimitPolicy = {
  /** Organizations that were never given money may spend none. Otherwise only those that were given some have a balance. */
  readonly isBalanceRequired: boolean;
};

/** Of a request: when it was admitted, and whether the organization pays for it here, not only under its own provider keys. */
type LimitedCall = { readonly atMs: number; readonly isBilled: boolean };

/** All limits of a key in a month, with the names of their scopes in the same order. */
export type LimitPlan = { readonly limits: readonly PlannedLimit[]; readonly scopes: readonly string[] };

/**
 * `planLimits`, remembered: while a key's record and the month are the same objects the plan is too, so that
 * the caller may keep what it derived from one.
 */
export function createLimitPlanner(policy: LimitPolicy): (key: KeyRecord, call: LimitedCall) => LimitPlan {
  const known = { billed: new WeakMap<KeyRecord, DatedPlan>(), unbilled: new WeakMap<KeyRecord, DatedPlan>() };
  return (key, call) => {
    const plans = call.isBilled ? known.billed : known.unbilled;
    const month = monthOf(call.atMs);
    let plan = plans.get(key);
    if (plan?.month !== month) {
      const limits = planLimits(key, call, policy);
      plan = { month, limits, scopes: limits.map(({ scope }) => scope) };
      plans.set(key, plan);
    }
    return plan;
  };
}

type DatedPlan = LimitPlan & { readonly month: string };

/**
 * Every limit that applies to a request of this key admitted at `atMs`; none for an unlimited key. In Global mode a
 * group's limit is that of each member, unless the member has one; in Group mode the group has a total, and each member
 * a budget of their own or the group's budget per user. `isBilled` is false when only the caller's own provider keys are used.
 */
export function planLimits(key: KeyRecord, { atMs, isBilled }: LimitedCall, policy: LimitPolicy): PlannedLimit[] {
  const limits: PlannedLimit[] = [];
  const add = (kind: MonthlyKind, id: string, max: bigint | null): void => {
    if (max !== null && max > 0n) limits.push({ scope: monthlyScope(kind, id, atMs), kind, max });
  };
  add('key', key.apiKeyId, key.monthlyLimitPico);
  const { groupId, userId, groupLimits: group } = key;
  if (groupId !== null && group !== null) {
    const isGroupMode = key.organization.budgetMode === 'group';
    if (userId !== null) add('group_member', groupMemberScopeId(groupId, userId), isGroupMode ? budgetOf(group) : limitOf(group));
    if (isGroupMode) add('group', groupId, group.monthlyBudgetPico);
  }
  const { creditPico } = key.organization;
  if (isBilled && (creditPico !== null || policy.isBalanceRequired)) {
    limits.push({ scope: BALANCE_SCOPE, kind: 'balance', max: creditPico ?? 0n });
  }
  return limits;
}

type GroupLimits = NonNullable<KeyRecord['groupLimits']>;

function limitOf({ memberLimitPico, monthlyLimitPico }: GroupLimits): bigint | null {
  return memberLimitPico ?? monthlyLimitPico;
}

/** A member's limit of Global mode still counts in Group mode until a budget replaces it. */
function budgetOf({ memberBudgetPico, memberLimitPico, budgetPerUserPico }: GroupLimits): bigint | null {
  return memberBudgetPico ?? memberLimitPico ?? budgetPerUserPico;
}
