import { runChange, type Change } from '../changes/run-change';
import type { Prisma } from '@weir/database';
import type { RouteParts } from '../route/management-parts';
import { keepAnAdministrator } from '../records/administrators';
import { describeMembership, type MembershipRow } from '../records/members';
import { isUuid } from '../records/require-id';
import type { RawCall } from '../route/route';
import { finishOffboarding, planOffboarding } from './finish-offboarding';

type Offboarding = Pick<RawCall, 'principal' | 'organizationId' | 'requestId' | 'ip'> & { readonly userId: string };

/**
 * Takes a member out of the organization: first everything here, in one transaction that also notes what is left to do,
 * so that the keys are dead whatever happens next; then at the identity provider. Each step can be repeated, so the whole
 * call can be, after a 502 too; a step that a crash cut off is taken up again without a call. The last administrator stays.
 * False for an id that was never a member's.
 */
export async function offboardMember(parts: RouteParts, offboarding: Offboarding): Promise<boolean> {
  const membership = await removeMember(parts, offboarding);
  if (membership === null) return false;
  await finishOffboarding(parts, membership);
  return true;
}

/** What of it happens here; null for an id that was never a member's. What is left is noted, and done by `finishOffboarding`. */
export async function removeMember(parts: RouteParts, { userId, ...caller }: Offboarding): Promise<MembershipRow | null> {
  if (!isUuid(userId)) return null; // no one has such an id, so no one is left to offboard
  const { organizationId } = caller;
  const membership = await parts.database
    .asOrganization(organizationId)
    .transact((tx) => tx.orgMember.findUnique({ where: { organizationId_userId: { organizationId, userId } }, include: { user: true } }));
  if (membership === null) return null;
  if (membership.status === 'active') {
    await runChange(parts, { ...caller, action: 'offboard-member' }, (tx) =>
      keepAnAdministrator(tx, { organizationId, nowMs: parts.now() }, () =>
        removeEverywhere(tx, { membership, at: new Date(parts.now()) }),
      ),
    );
  }
  return membership;
}

type Leaving = {
  readonly membership: MembershipRow;
  readonly at: Date;
  /** Their groups of the directory wait for them: it does not say again who is in which when they come back. */
  readonly keepsDirectoryGroups?: boolean;
};

/** Ends, in the transaction, everything that a member has here, and notes what is left to do elsewhere. */
export async function removeEverywhere(
  tx: Prisma.TransactionClient,
  { membership, at, keepsDirectoryGroups }: Leaving,
): Promise<Change<void>> {
  const { organizationId, userId } = membership;
  await tx.orgMember.update({
    where: { organizationId_userId: { organizationId, userId } },
    // Who comes back comes back as a plain member.
    data: { status: 'offboarded', role: 'member', offboardedAt: at },
  });
  await planOffboarding(tx, membership);
  // Coming back, they are found by their address again, with whatever account they have at a provider then.
  await tx.userIdentity.deleteMany({ where: { userId } });
  const made = { organizationId, status: 'active', OR: [{ createdBy: userId }, { userId }] };
  const keys = await tx.apiKey.findMany({ where: made, select: { id: true } });
  await tx.apiKey.updateMany({ where: made, data: { status: 'revoked', revokedAt: at, version: { increment: 1 } } });
  const groupIds = await leaveGroups(tx, { organizationId, userId, keeps: keepsDirectoryGroups === true ? ['scim'] : [] });
  const keyIds = keys.map(({ id }) => id);
  return {
    result: undefined,
    audit: {
      targetKind: 'member',
      targetId: userId,
      before: describeMembership(membership),
      after: { revoked_keys: keyIds, left_groups: groupIds },
    },
    changed: [
      ...keyIds.map((entityId) => ({ entity: 'api-key' as const, entityId })),
      ...groupIds.map((entityId) => ({ entity: 'group' as const, entityId })),
    ],
  };
}

type LeftGroups = { readonly organizationId: string; readonly userId: string; readonly keeps: string[] };

async function leaveGroups(tx: Prisma.TransactionClient, { organizationId, userId, keeps }: LeftGroups): Promise<string[]> {
  const ofMember = { userId, group: { organizationId } };
  const groups = await tx.groupMember.findMany({ where: ofMember, select: { groupId: true } });
  await tx.groupMember.deleteMany({ where: { ...ofMember, source: { notIn: keeps } } });
  await tx.groupMember.updateMany({ where: ofMember, data: { isActive: false } });
  return groups.map(({ groupId }) => groupId);
}
