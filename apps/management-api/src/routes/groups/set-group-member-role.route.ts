import { setMemberRoleBody } from '@weir/contracts';
import { updateGroupMember } from './change-group-member';
import { defineRoute } from '../../route/route';

export const setGroupMemberRole = defineRoute({
  id: 'set-group-member-role',
  body: setMemberRoleBody,
  run: (call, parts) =>
    updateGroupMember(parts, call, {
      action: 'set-group-member-role',
      plan: () => ({ role: call.body.role }),
    }),
});
