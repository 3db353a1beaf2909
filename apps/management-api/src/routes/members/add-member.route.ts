import { addMemberBody } from '@weir/contracts';
import { ensureUserAccount, type Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { runChange } from '../../changes/run-change';
import { admitAtIdentityProvider } from '../../identity/admit-at-identity-provider';
import { cancelOffboarding } from '../../identity/finish-offboarding';
import { describeMembership, type MembershipRow } from '../../records/members';
import { created, defineRoute } from '../../route/route';

/** Somebody who is a member already keeps their role: adding them again repeats a request, or finishes one. */
async function admit(
  tx: Prisma.TransactionClient,
  key: { readonly organizationId: string; readonly userId: string },
  role: 'admin' | 'member' | undefined,
): Promise<MembershipRow> {
  const where = { organizationId_userId: key };
  const known = await tx.orgMember.findUnique({ where, select: { status: true, role: true } });
  if (known?.status === 'active' && role !== undefined && role !== known.role) {
    const message = `They are in the organization already, as ${known.role}. Change that with PUT /v1/manage/org/member/${key.userId}/role.`;
    throw new GatewayError('conflict', message);
  }
  // What the directory says of their groups holds again.
  if (known !== null && known.status !== 'active') {
    const ofDirectory = { userId: key.userId, source: 'scim', group: { organizationId: key.organizationId } };
    await tx.groupMember.updateMany({ where: ofDirectory, data: { isActive: true } });
  }
  const update = known?.status === 'active' ? {} : { status: 'active', offboardedAt: null, role: role ?? 'member' };
  return tx.orgMember.upsert({ where, create: { ...key, role: role ?? 'member' }, update, include: { user: true } });
}

/**
 * Adds a person by e-mail, known to the service or not; somebody who was offboarded comes back as a plain member. First
 * here, then at the identity provider: after a 502 the same request finishes it.
 */
export const addMember = defineRoute({
  id: 'add-member',
  body: addMemberBody,
  run: async (call, parts) => {
    const { organizationId, body } = call;
    const email = body.email.toLowerCase();
    const { member, userId } = await runChange(parts, { ...call, action: 'add-member' }, async (tx) => {
      const id = await ensureUserAccount(tx, { email, firstName: body.first_name ?? '', lastName: body.last_name ?? '' });
      const membership = await admit(tx, { organizationId, userId: id }, body.role);
      await cancelOffboarding(tx, { organizationId, userId: id });
      const after = describeMembership(membership);
      return {
        result: { member: after, userId: id },
        audit: { targetKind: 'member', targetId: id, before: null, after },
        changed: [],
      };
    });
    await admitAtIdentityProvider(parts, { organizationId, userId });
    return created({ member });
  },
});
