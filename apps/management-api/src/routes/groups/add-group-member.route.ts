import { addGroupMemberBody } from '@weir/contracts';
import { forbidden } from '../../route/authority';
import { changeGroupMember } from './change-group-member';
import { holdMembership } from '../../records/members';
import { notFound } from '../../records/require-id';
import { defineRoute } from '../../route/route';

/** Adds a member of the organization, or gives one who is in the group already the role. */
export const addGroupMember = defineRoute({
  id: 'add-group-member',
  body: addGroupMemberBody,
  run: async (call, parts) => {
    const { user_id: userId, role } = call.body;
    if (role === 'admin' && call.authority.kind !== 'organization-admin')
      throw forbidden('Only administrators of the organization may make somebody an administrator of a group.');
    return changeGroupMember(parts, call, {
      action: 'add-group-member',
      userId,
      apply: async (tx, at) => {
        const { organizationId } = call;
        if (!(await holdMembership(tx, { organizationId, userId: at.userId }))) throw notFound('member', userId);
        const { groupId } = at;
        await tx.groupMember.upsert({
          where: { groupId_userId: { groupId, userId: at.userId } },
          create: { groupId, userId: at.userId, role },
          update: { role, isActive: true },
        });
      },
    });
  },
});
