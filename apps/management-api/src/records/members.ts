import type { Prisma } from '@weir/database';

const withUser = { user: true } as const satisfies Prisma.OrgMemberInclude;
export type MembershipRow = Prisma.OrgMemberGetPayload<{ include: typeof withUser }>;

export async function listMembers(tx: Prisma.TransactionClient, organizationId: string): Promise<MembershipRow[]> {
  return tx.orgMember.findMany({
    where: { organizationId, status: 'active' },
    include: withUser,
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
  });
}

export async function isActiveMember(tx: Prisma.TransactionClient, organizationId: string, userId: string): Promise<boolean> {
  return (await tx.orgMember.count({ where: { organizationId, userId, status: 'active' } })) > 0;
}

export function describeMembership({ userId, user }: MembershipRow): Prisma.InputJsonObject {
  return { user_id: userId, user_email: user.email, first_name: user.firstName, last_name: user.lastName };
}
