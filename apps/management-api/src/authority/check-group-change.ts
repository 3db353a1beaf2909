import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { isAdministrator } from '../records/administrators';
import { isInGroupMode, type GroupRow } from '../records/groups';
import { limitToText } from '../records/usd';
import type { RawCall } from '../route/route';
import { forbidden } from '../route/authority';

type Caller = Pick<RawCall, 'organizationId' | 'authority'>;

/**
 * An administrator of a group decides about its plain members: not about themself or their equals, who could otherwise
 * raise each other's limits, and not about the organization's administrators.
 */
export async function checkMayDecideAbout(
  tx: Prisma.TransactionClient,
  { organizationId, authority }: Caller,
  { userId, group }: { readonly userId: string; readonly group: GroupRow },
): Promise<void> {
  if (authority.kind === 'organization-admin') return;
  if (group.members.some((member) => member.userId === userId && member.role === 'admin'))
    throw forbidden('Only administrators of the organization may change who administers the group, and what holds for those who do.');
  if (await isAdministrator(tx, { organizationId, userId }))
    throw forbidden('That member is an administrator of the organization; only administrators of the organization may do this.');
}

/** A group's budget bounds all of its members together: one who is given more is shown what does not hold. */
export function checkWithinTotal(group: GroupRow, limit: Prisma.Decimal | null): void {
  const { monthlyBudgetPico: budget } = group;
  if (!isInGroupMode(group) || budget === null || limit === null || limit.lessThanOrEqualTo(budget)) return;
  throw new GatewayError(
    'invalid_request',
    `The group "${group.name}" has a budget of ${limitToText(budget)} USD a month for all of its members; one of them can have at most that, not ${limitToText(limit)}. Raise the group's budget first.`,
  );
}

/** Only an administrator of the organization may let a member spend more than the group was given. */
export function checkWithinBudget({ authority }: Caller, group: GroupRow, limit: Prisma.Decimal | null): void {
  if (authority.kind === 'organization-admin') checkWithinTotal(group, limit);
  if (authority.kind === 'organization-admin' || limit === null) return;
  const bound = isInGroupMode(group) ? (group.monthlyBudgetPico ?? group.budgetPerUserPico) : group.monthlyLimitPico;
  if (bound === null || (!limit.isZero() && limit.lessThanOrEqualTo(bound))) return;
  const asked = limit.isZero() ? 'no limit at all' : `a limit of ${limitToText(limit)} USD`;
  throw forbidden(`The group has ${limitToText(bound)} USD a month; only administrators of the organization may give a member ${asked}.`);
}

/** A member's rate holds over all of their keys, so that it would reach into other groups of theirs. */
export async function checkIsInNoOtherGroup(
  tx: Prisma.TransactionClient,
  { organizationId, authority }: Caller,
  { userId, groupId }: { readonly userId: string; readonly groupId: string },
): Promise<void> {
  if (authority.kind === 'organization-admin') return;
  if (await isInOtherGroup(tx, { organizationId, userId, groupId }))
    throw forbidden(
      'The member is in other groups too, where the rate would hold as well; only administrators of the organization may set it.',
    );
}

/** Taking a member out and in again ends their rate: who may not change it, may not do that either. */
export async function checkKeepsRate(
  tx: Prisma.TransactionClient,
  { organizationId, authority }: Caller,
  { userId, groupId }: { readonly userId: string; readonly groupId: string },
): Promise<void> {
  if (authority.kind === 'organization-admin') return;
  const rated = await tx.groupMember.count({ where: { userId, groupId, rateLimitRpm: { not: null } } });
  if (rated > 0 && (await isInOtherGroup(tx, { organizationId, userId, groupId })))
    throw forbidden(
      'The member has a rate in this group and is in other groups too, where the rate holds as well; only administrators of the organization may take them out.',
    );
}

async function isInOtherGroup(
  tx: Prisma.TransactionClient,
  { organizationId, userId, groupId }: { readonly organizationId: string; readonly userId: string; readonly groupId: string },
): Promise<boolean> {
  return (await tx.groupMember.count({ where: { userId, NOT: { groupId }, group: { organizationId } } })) > 0;
}
