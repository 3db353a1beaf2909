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
export async function offboardMember(parts: RouteParts, { userId, ...caller }: Offboarding): Promise<boolean> {
  if (!isUuid(userId)) return false; // no one has such an id, so no one is left to offboard
  const { organizationId } = caller;
  const membership = await parts.database
    .asOrganization(organizationId)
    .transact((tx) => tx.orgMember.findUnique({ where: { organizationId_userId: { organizationId, userId } }, include: { user: true } }));
  if (membership === null) return false;
  if (membership.status === 'active') {
    await runChange(parts, { ...caller, action: 'offboard-member' }, (tx) =>
      keepAnAdministrator(tx, { organizationId, nowMs: parts.now() }, () =>
        removeEverywhere(tx, { membership, at: new Date(parts.now()) }),
      ),
    );
  }
  await finishOffboarding(parts, membership);
  return true;
}

async function removeEverywhere(
  tx: Prisma.TransactionClient,
  { membership, at }: { membership: MembershipRow; at: Date },
): Promise<Change<void>> {
  const { organizationId, userId } = membership;
  await tx.orgMember.update({
    where: { organizationId_userId: { organizationId, userId } },
    data: { status: 'offboarded', offboardedAt: at },
  });
  await planOffboarding(tx, membership);
  // Coming back, they are found by their address again, with whatever account they have at a provider then.
  await tx.userIdentity.deleteMany({ where: { userId } });
  const made = { organizationId, status: 'active', OR: [{ createdBy: userId }, { userId }] };
  const keys = await tx.apiKey.findMany({ where: made, select: { id: true } });
  await tx.apiKey.updateMany({ where: made, data: { status: 'revoked', revokedAt: at, version: { increment: 1 } } });
  const groups = await tx.groupMember.findMany({ where: { userId, group: { organizationId } }, select: { groupId: true } });
  await tx.groupMember.deleteMany({ where: { userId, group: { organizationId } } });
  const keyIds = keys.map(({ id }) => id);
  const groupIds = groups.map(({ groupId }) => groupId);
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
