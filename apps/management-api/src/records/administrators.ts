import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';

/** Roles of members who administer the organization; the owner is whom it was made for. */
const ADMINISTRATORS = ['owner', 'admin'];

export async function isAdministrator(
  tx: Prisma.TransactionClient,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): Promise<boolean> {
  return (await tx.orgMember.count({ where: { organizationId, userId, status: 'active', role: { in: ADMINISTRATORS } } })) > 0;
}

export async function administersGroup(
  tx: Prisma.TransactionClient,
  { groupId, userId }: { readonly groupId: string; readonly userId: string },
): Promise<boolean> {
  return (await tx.groupMember.count({ where: { groupId, userId, role: 'admin', isActive: true } })) > 0;
}

type Left = { readonly people: number; readonly keys: number };

/**
 * Carries out a change that may take administrators or their keys from an organization, and refuses it with
 * `last_administrator` if it took the last. Of several such changes at once each sees what the one before it left.
 */
export async function keepAnAdministrator<Result>(
  tx: Prisma.TransactionClient,
  at: { readonly organizationId: string; readonly nowMs: number },
  change: () => Promise<Result>,
): Promise<Result> {
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${at.organizationId}::uuid FOR NO KEY UPDATE`;
  const before = await countAdministrators(tx, at);
  const result = await change();
  const after = await countAdministrators(tx, at);
  if (before.people > 0 && after.people === 0)
    throw refuse('administrator', 'Make another member an administrator first: PUT /v1/manage/org/member/{user_id}/role.');
  if (before.keys > 0 && after.keys === 0) {
    throw refuse(
      'API key that may manage it',
      'First make one for an administrator who stays: POST /v1/manage/apikey with `permissions.manage` "write" and the `member_id` of an administrator. A key that leaked can be rotated.',
    );
  }
  return result;
}

function refuse(what: string, remedy: string): GatewayError {
  return new GatewayError('last_administrator', `This would leave the organization without an ${what}. ${remedy}`);
}

/** Sessions do not count: they end within the hour. */
async function countAdministrators(
  tx: Prisma.TransactionClient,
  { organizationId, nowMs }: { readonly organizationId: string; readonly nowMs: number },
): Promise<Left> {
  const people = await tx.orgMember.findMany({
    where: { organizationId, status: 'active', role: { in: ADMINISTRATORS } },
    select: { userId: true },
  });
  const keys = await tx.apiKey.count({
    where: {
      ...{ organizationId, status: 'active', permManage: 'write', isSession: false },
      AND: [
        { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(nowMs) } }] },
        { OR: [{ userId: null }, { userId: { in: people.map(({ userId }) => userId) } }] },
      ],
    },
  });
  return { people: people.length, keys };
}
