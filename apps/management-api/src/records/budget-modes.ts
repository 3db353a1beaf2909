import { limitDocument, type OrganizationSettingsBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { parseUsd } from '@weir/pricing';
import { isInGroupMode, LIMIT_OF_ONE_GROUP, withMembers, type GroupRow } from './groups';
import { limitToText, limitToUsd } from './usd';

type BudgetMode = NonNullable<OrganizationSettingsBody['budget_mode']>;
type Limits = Pick<GroupRow, 'monthlyLimitPico' | 'monthlyBudgetPico' | 'budgetPerUserPico'>;
type Member = GroupRow['members'][number];
type MemberLimits = Pick<Member, 'monthlyLimitPico' | 'monthlyBudgetPico'>;

/** What becomes of one group. What the other mode had from before is kept where nothing holds now that would take its place. */
type GroupSwitch = {
  readonly group: GroupRow;
  readonly after: Limits;
  readonly members: readonly { readonly member: Member; readonly after: MemberLimits }[];
  /** Why the other mode cannot hold what holds now. */
  readonly obstacle: string | null;
};

export type BudgetSwitch = { readonly from: BudgetMode; readonly to: BudgetMode; readonly groups: readonly GroupSwitch[] };

/**
 * What another budget mode would make of all limits of groups and their members: whatever holds now holds then, and what cannot is an
 * obstacle. Undefined where the mode stays.
 */
export async function planBudgetSwitch(
  tx: Prisma.TransactionClient,
  organizationId: string,
  to: BudgetMode | undefined,
): Promise<BudgetSwitch | undefined> {
  const { budgetMode } = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } });
  if (to === undefined || to === budgetMode) return undefined;
  // A budget that is being changed is changed before, or refused after.
  await tx.$queryRaw`SELECT 1 FROM user_group WHERE organization_id = ${organizationId}::uuid ORDER BY id FOR UPDATE`;
  const rows = await tx.userGroup.findMany({
    where: { organizationId },
    include: withMembers,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const bounds = to === 'global' ? await readTotals(tx, organizationId) : [];
  return {
    from: to === 'global' ? 'group' : 'global',
    to,
    groups: rows.map((group) => (to === 'group' ? toGroupMode(group) : toGlobalMode(group, bounds))),
  };
}

/** Each member's limit is each member's budget then; a group as a whole had none. */
function toGroupMode(group: GroupRow): GroupSwitch {
  const after = { ...group, budgetPerUserPico: group.monthlyLimitPico ?? group.budgetPerUserPico };
  const members = group.members.map((member) => {
    const isLimited = (member.monthlyLimitPico ?? group.monthlyLimitPico) !== null;
    return { member, after: { ...member, monthlyBudgetPico: isLimited ? member.monthlyLimitPico : member.monthlyBudgetPico } };
  });
  return { group, after, members, obstacle: null };
}

function toGlobalMode(group: GroupRow, totals: readonly Total[]): GroupSwitch {
  const after = { ...group, monthlyLimitPico: group.budgetPerUserPico ?? group.monthlyLimitPico };
  const members = group.members.map((member) => ({
    member,
    after: { ...member, monthlyLimitPico: member.monthlyBudgetPico ?? member.monthlyLimitPico },
  }));
  return { group, after, members, obstacle: findObstacle(group, totals) };
}

/** In Global mode a group as a whole is limited by the table alone. */
function findObstacle({ id, name, monthlyBudgetPico }: GroupRow, totals: readonly Total[]): string | null {
  if (monthlyBudgetPico === null) return null;
  const budget = BigInt(monthlyBudgetPico.toFixed(0));
  if (totals.some(({ groupId, maxPico }) => (groupId === undefined || groupId === id) && maxPico <= budget)) return null;
  return `The group "${name}" has a budget of ${limitToText(monthlyBudgetPico)} USD a month, which Global mode does not have.`;
}

/** A limit of the table over what a group as a whole spends a month; without a group it holds for each. */
type Total = { readonly groupId: string | undefined; readonly maxPico: bigint };

async function readTotals(tx: Prisma.TransactionClient, organizationId: string): Promise<Total[]> {
  const rows = await tx.organizationRule.findMany({ where: { organizationId, kind: 'limit' } });
  return rows.flatMap(({ document }) => {
    const read = limitDocument.safeParse(document);
    if (!read.success) return [];
    const { scope, measure, window, action, models, providers, modalities, group_id: groupId, amount } = read.data;
    const isTotal = scope === 'group' && measure === 'usd' && window === 'month' && action === 'refuse';
    if (!isTotal || models !== undefined || providers !== undefined || modalities !== undefined) return [];
    return [{ groupId, maxPico: parseUsd(amount) }];
  });
}

/** Refuses a switch under which something that is limited now would be limited no more. */
export function checkBudgetSwitch({ groups }: BudgetSwitch): void {
  const problems = groups.flatMap(({ group, obstacle }) => (obstacle === null ? [] : [{ path: `groups.${group.id}`, message: obstacle }]));
  if (problems.length === 0) return;
  throw new GatewayError('conflict', explainRefusal(problems.map(({ message }) => message)), { field: 'budget_mode', problems });
}

const NAMED_MAX = 10;

function explainRefusal(obstacles: readonly string[]): string {
  const more = obstacles.length > NAMED_MAX ? ` So it is with ${obstacles.length - NAMED_MAX} more groups.` : '';
  return `Nothing was changed: ${obstacles.slice(0, NAMED_MAX).join(' ')}${more} ${LIMIT_OF_ONE_GROUP} Or take the budget away (0), then switch.`;
}

/** Writes what a switch carries over, group by group. */
export async function carryBudgets(tx: Prisma.TransactionClient, { groups }: BudgetSwitch): Promise<void> {
  for (const { group, after, members } of groups) {
    const { monthlyLimitPico, monthlyBudgetPico, budgetPerUserPico } = after;
    await tx.userGroup.update({
      where: { id: group.id },
      data: { monthlyLimitPico, monthlyBudgetPico, budgetPerUserPico, version: { increment: 1 } },
    });
    for (const { member, after: limits } of members) {
      if (limits.monthlyLimitPico === member.monthlyLimitPico && limits.monthlyBudgetPico === member.monthlyBudgetPico) continue;
      const { monthlyLimitPico: limit, monthlyBudgetPico: budget } = limits;
      const { groupId, userId } = member;
      await tx.groupMember.updateMany({ where: { groupId, userId }, data: { monthlyLimitPico: limit, monthlyBudgetPico: budget } });
    }
  }
}

/** For people who are to decide about it: 0 is no limit, as everywhere. */
export function describeBudgetSwitch(plan: BudgetSwitch): object {
  const { from, to, groups } = plan;
  const described = groups.map((change) => describeGroup(change, to));
  return {
    ...{ from, to },
    is_allowed: groups.every(({ obstacle }) => obstacle === null),
    groups: described.filter(({ before, after, members }) => members.length > 0 || isAnyLimit(before) || isAnyLimit(after)),
  };
}

function describeGroup({ group, after, members, obstacle }: GroupSwitch, to: BudgetMode) {
  const wasGroupMode = isInGroupMode(group);
  const limitsOf = (limits: Limits, isGroupMode: boolean): Record<string, number> =>
    isGroupMode
      ? { monthly_budget: limitToUsd(limits.monthlyBudgetPico), monthly_budget_per_user: limitToUsd(limits.budgetPerUserPico) }
      : { monthly_limit: limitToUsd(limits.monthlyLimitPico) };
  const holds = (limits: Limits, own: MemberLimits, isGroupMode: boolean): number =>
    limitToUsd(
      isGroupMode
        ? (own.monthlyBudgetPico ?? own.monthlyLimitPico ?? limits.budgetPerUserPico)
        : (own.monthlyLimitPico ?? limits.monthlyLimitPico),
    );
  return {
    id: group.id,
    name: group.name,
    before: limitsOf(group, wasGroupMode),
    after: limitsOf(after, to === 'group'),
    members: members.flatMap(({ member, after: own }) => {
      const before = holds(group, member, wasGroupMode);
      const then = holds(after, own, to === 'group');
      const isOwn = (own.monthlyBudgetPico ?? own.monthlyLimitPico) !== null;
      return isOwn || before !== then ? [{ id: member.userId, email: member.user.email, before, after: then }] : [];
    }),
    obstacle,
  };
}

function isAnyLimit(limits: Record<string, number>): boolean {
  return Object.values(limits).some((amount) => amount > 0);
}
