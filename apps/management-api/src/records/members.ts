import type { Prisma } from '@weir/database';
import { notFound } from './require-id';
import { containing, selectPage, type SearchedPagePlan } from './pages';

const withUser = { user: true } as const satisfies Prisma.OrgMemberInclude;
export type MembershipRow = Prisma.OrgMemberGetPayload<{ include: typeof withUser }>;

export async function listMembers(tx: Prisma.TransactionClient, organizationId: string, plan: SearchedPagePlan): Promise<MembershipRow[]> {
  const { where, ...page } = selectPage(plan, 'userId');
  return tx.orgMember.findMany({
    where: { organizationId, status: 'active', AND: selectFound(plan.search), ...where },
    include: withUser,
    ...page,
  });
}

/** Every word has to be in the address or in one of the names: people are looked for by "first last" as well. */
function selectFound(search: string | undefined): Prisma.OrgMemberWhereInput[] {
  return (search?.split(/\s+/) ?? []).map((word) => {
    const found = containing(word);
    return { user: { OR: [{ email: found }, { firstName: found }, { lastName: found }] } };
  });
}

/** An active member's row, locked until the transaction ends. */
export async function getMembership(
  tx: Prisma.TransactionClient,
  key: { readonly organizationId: string; readonly userId: string },
): Promise<MembershipRow> {
  const { organizationId, userId } = key;
  await tx.$queryRaw`SELECT 1 FROM org_member WHERE organization_id = ${organizationId}::uuid AND user_id = ${userId}::uuid FOR UPDATE`;
  const membership = await tx.orgMember.findUnique({ where: { organizationId_userId: key }, include: withUser });
  if (membership?.status !== 'active') throw notFound('member', userId);
  return membership;
}

/** Whether somebody is a member, who then stays one until the transaction ends: offboarding waits for it, and finds what it did. */
export async function holdMembership(
  tx: Prisma.TransactionClient,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): Promise<boolean> {
  const held = await tx.$queryRaw<unknown[]>`SELECT 1 FROM org_member
    WHERE organization_id = ${organizationId}::uuid AND user_id = ${userId}::uuid AND status = 'active' FOR SHARE`;
  return held.length > 0;
}

export function describeMembership({ userId, user, role }: MembershipRow): Prisma.InputJsonObject {
  return { user_id: userId, user_email: user.email, first_name: user.firstName, last_name: user.lastName, role };
}
