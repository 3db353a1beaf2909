import type { Prisma } from '@weir/database';
import { isUuid } from '../../records/require-id';
import { noResource } from '../protocol/refusals';

/** A member as the directory sees them, with the groups of the organization they are in. */
export function withGroups(organizationId: string) {
  return {
    user: {
      include: {
        groupMemberships: {
          where: { group: { organizationId } },
          include: { group: { select: { id: true, name: true } } },
          orderBy: [{ createdAt: 'asc' }, { groupId: 'asc' }],
        },
      },
    },
  } as const satisfies Prisma.OrgMemberInclude;
}

export type UserRow = Prisma.OrgMemberGetPayload<{ include: ReturnType<typeof withGroups> }>;

/** Who was deleted by the directory is seen again when they are a member again. */
export const SEEN = { OR: [{ status: 'active' }, { deletedAt: null }] } as const satisfies Prisma.OrgMemberWhereInput;

type Asked = { readonly organizationId: string; readonly id: string | undefined };

/** A member, whether active or not. Throws `not_found`, for what the directory has deleted too. */
export async function getUserRow(tx: Prisma.TransactionClient, { organizationId, id = '' }: Asked): Promise<UserRow> {
  if (!isUuid(id)) throw noResource('user', id);
  const where = { organizationId, userId: id.toLowerCase(), ...SEEN };
  const row = await tx.orgMember.findFirst({ where, include: withGroups(organizationId) });
  if (row === null) throw noResource('user', id);
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockUserRow(tx: Prisma.TransactionClient, asked: Asked): Promise<UserRow> {
  const { organizationId, id = '' } = asked;
  if (isUuid(id))
    await tx.$queryRaw`SELECT 1 FROM org_member WHERE organization_id = ${organizationId}::uuid AND user_id = ${id}::uuid FOR UPDATE`;
  return getUserRow(tx, asked);
}
