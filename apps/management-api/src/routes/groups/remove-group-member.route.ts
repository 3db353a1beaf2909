import { removeGroupMemberBody } from '@weir/contracts';
import { checkKeepsRate } from '../../authority/check-group-change';
import { changeGroupMember, notInGroup } from './change-group-member';
import { defineRoute } from '../../route/route';

export const removeGroupMember = defineRoute({
  id: 'remove-group-member',
  body: removeGroupMemberBody,
  run: (call, parts) =>
    changeGroupMember(parts, call, {
      action: 'remove-group-member',
      userId: call.body.user_id,
      apply: async (tx, { groupId, userId }) => {
        await checkKeepsRate(tx, call, { userId, groupId });
        const { count } = await tx.groupMember.deleteMany({ where: { groupId, userId } });
        if (count === 0) throw notInGroup(userId);
      },
    }),
});
