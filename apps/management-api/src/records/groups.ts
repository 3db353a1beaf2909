import { createSpendReader, type Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { groupMemberScopeId } from '@weir/usage';
import type { Authority } from '../route/authority';
import { runChange, type ChangeCaller } from '../changes/run-change';
import type { RouteParts } from '../route/management-parts';
import { readLabels } from './label-sets';
import { containing, selectPage, type SearchedPagePlan } from './pages';
import { notFound } from './require-id';
import { limitToText, limitToUsd, picoToUsd } from './usd';

export const withMembers = {
  organization: true,
  labelSet: true,
  members: { include: { user: true }, orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }] },
} as const satisfies Prisma.UserGroupInclude;
export type GroupRow = Prisma.UserGroupGetPayload<{ include: typeof withMembers }>;
type MemberRow = GroupRow['members'][number];

export async function getGroup(tx: Prisma.TransactionClient, organizationId: string, id: string): Promise<GroupRow> {
  const group = await tx.userGroup.findFirst({ where: { id, organizationId }, include: withMembers });
  if (group === null) throw notFound('group', id);
  return group;
}

type ListedGroups = { readonly organizationId: string; readonly authority: Authority };

/** All groups, or those the caller administers. */
export async function listGroups(
  tx: Prisma.TransactionClient,
  { organizationId, authority }: ListedGroups,
  plan: SearchedPagePlan,
): Promise<GroupRow[]> {
  const { where, ...page } = selectPage(plan, 'id');
  const reached = authority.kind === 'organization-admin' ? {} : { id: { in: [...authority.adminOf] } };
  const found = plan.search === undefined ? {} : { name: containing(plan.search) };
  return tx.userGroup.findMany({ where: { organizationId, AND: [reached, found], ...where }, include: withMembers, ...page });
}

/** Refuses a group of another organization; null, for no group, is fine. */
export async function checkGroupExists(tx: Prisma.TransactionClient, organizationId: string, id: string | null): Promise<void> {
  if (id !== null && (await tx.userGroup.count({ where: { id, organizationId } })) === 0) throw notFound('group', id);
}

export async function describeGroupItems(
  parts: RouteParts,
  organizationId: string,
  groups: readonly GroupRow[],
): Promise<Record<string, unknown>[]> {
  const ids = groups.map(({ id }) => id);
  const spend = await createSpendReader(parts.database.asOrganization(organizationId)).readSpend('group', ids, parts.now());
  return groups.map((group) => ({
    ...describeGroup(group),
    members_count: group.members.length,
    monthly_spend: picoToUsd(spend.get(group.id)?.costPico ?? 0n),
  }));
}

export async function describeGroupDetail(parts: RouteParts, organizationId: string, group: GroupRow): Promise<Record<string, unknown>> {
  const scopeIds = group.members.map(({ userId }) => groupMemberScopeId(group.id, userId));
  const spend = await createSpendReader(parts.database.asOrganization(organizationId)).readSpend('group_member', scopeIds, parts.now());
  const spentBy = (member: MemberRow): bigint => spend.get(groupMemberScopeId(group.id, member.userId))?.costPico ?? 0n;
  return { ...describeGroup(group), members: group.members.map((member) => describeMember(group, member, spentBy(member))) };
}

function describeGroup(group: GroupRow): Record<string, unknown> {
  return {
    id: group.id,
    organization_id: group.organizationId,
    name: group.name,
    created_by: group.createdBy,
    created_at: group.createdAt.toISOString(),
    labels: readLabels(group.labelSet),
    access_list_id: group.accessListId,
    ...(isInGroupMode(group)
      ? { monthly_budget: limitToUsd(group.monthlyBudgetPico), monthly_budget_per_user: limitToUsd(group.budgetPerUserPico) }
      : { monthly_limit: limitToUsd(group.monthlyLimitPico) }),
  };
}

function describeMember(group: GroupRow, member: MemberRow, spentPico: bigint): Record<string, unknown> {
  return {
    id: member.userId,
    email: member.user.email,
    role: member.role,
    monthly_spend: picoToUsd(spentPico),
    active: member.isActive,
    rate_limit: member.rateLimitRpm ?? 0,
    ...describeMemberLimits(group, member),
  };
}

/** What holds for the member: their own, or what the group says. The limit of Global mode counts in Group mode until a budget replaces it. */
function describeMemberLimits(group: GroupRow, { monthlyLimitPico, monthlyBudgetPico }: MemberRow): Record<string, unknown> {
  if (!isInGroupMode(group)) return { monthly_limit: limitToUsd(monthlyLimitPico ?? group.monthlyLimitPico) };
  return {
    monthly_limit: limitToUsd(monthlyLimitPico),
    monthly_budget: limitToUsd(monthlyBudgetPico ?? monthlyLimitPico ?? group.budgetPerUserPico),
  };
}

export function isInGroupMode(group: GroupRow): boolean {
  return group.organization.budgetMode === 'group';
}

export const LIMIT_OF_ONE_GROUP =
  'For a limit of what one group spends, make one of the table: POST /v1/manage/limit with {"name": "…", "scope": "group", "group_id": "…", "measure": "usd", "window": "month", "amount": …}.';

/** Budgets of groups exist in group budget mode only. */
export function checkGroupMode(group: GroupRow): void {
  if (isInGroupMode(group)) return;
  throw new GatewayError(
    'conflict',
    `The organization is in Global mode; group budgets exist in Group Budget mode only. ${LIMIT_OF_ONE_GROUP} It needs no other mode.`,
  );
}

export function auditGroup(group: GroupRow): Prisma.InputJsonObject {
  return {
    name: group.name,
    monthly_limit: limitToText(group.monthlyLimitPico),
    monthly_budget: limitToText(group.monthlyBudgetPico),
    monthly_budget_per_user: limitToText(group.budgetPerUserPico),
    labels: readLabels(group.labelSet),
    access_list_id: group.accessListId,
    members: group.members.map((member) => ({
      user_id: member.userId,
      role: member.role,
      monthly_limit: limitToText(member.monthlyLimitPico),
      monthly_budget: limitToText(member.monthlyBudgetPico),
      rate_limit: member.rateLimitRpm,
    })),
  };
}

/** Changes one group, whose row is locked before it is read. Returns the changed group. */
export async function changeGroup(
  parts: RouteParts,
  /** `reachesAllKeys`: keys outside the group are concerned too. */
  call: ChangeCaller & { id: string; reachesAllKeys?: boolean },
  apply: (tx: Prisma.TransactionClient, group: GroupRow) => Promise<Prisma.UserGroupUncheckedUpdateInput>,
): Promise<GroupRow> {
  const { id, organizationId } = call;
  return runChange(parts, call, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM user_group WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR UPDATE`;
    const before = await getGroup(tx, organizationId, id);
    const data = await apply(tx, before);
    const after = await tx.userGroup.update({ where: { id }, data: { ...data, version: { increment: 1 } }, include: withMembers });
    return {
      result: after,
      audit: { targetKind: 'group', targetId: id, before: auditGroup(before), after: auditGroup(after) },
      changed: [call.reachesAllKeys === true ? { entity: 'organization', entityId: organizationId } : { entity: 'group', entityId: id }],
    };
  });
}
