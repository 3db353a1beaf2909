import { addMemberBody } from '@weir/contracts';
import { ensureUserAccount } from '@weir/database';
import { runChange } from '../../changes/run-change';
import { admitAtIdentityProvider } from '../../identity/admit-at-identity-provider';
import { cancelOffboarding } from '../../identity/finish-offboarding';
import { describeMembership } from '../../records/members';
import { created, defineRoute } from '../../route';

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
      const membership = await tx.orgMember.upsert({
        where: { organizationId_userId: { organizationId, userId: id } },
        create: { organizationId, userId: id },
        update: { status: 'active', offboardedAt: null },
        include: { user: true },
      });
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
