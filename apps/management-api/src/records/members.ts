import type { Prisma } from '@weir/database';
import { selectPage, type PagePlan } from './pages';

const withUser = { user: true } as const satisfies Prisma.OrgMemberInclude;
export type MembershipRow = Prisma.OrgMemberGetPayload<{ include: typeof withUser }>;

export async function listMembers(tx: Prisma.TransactionClient, organizationId: string, plan: PagePlan): Promise<MembershipRow[]> {
  const { where, ...page } = selectPage(plan, 'userId');
  return tx.orgMember.findMany({ where: { organizationId, status: 'active', ...where }, include: withUser, ...page });
}

export async function isActiveMember(tx: Prisma.TransactionClient, organizationId: string, userId: string): Promise<boolean> {
  return (await tx.orgMember.count({ where: { organizationId, userId, status: 'active' } })) > 0;
}

export function describeMembership({ userId, user }: MembershipRow): Prisma.InputJsonObject {
  return { user_id: userId, user_email: user.email, first_name: user.firstName, last_name: user.lastName };
}
