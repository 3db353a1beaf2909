import { setRateLimitBody } from '@weir/contracts';
import { checkIsInNoOtherGroup } from '../../authority/check-group-change';
import { updateGroupMember } from './change-group-member';
import { defineRoute } from '../../route/route';

export const setGroupMemberRateLimit = defineRoute({
  id: 'set-group-member-rate-limit',
  body: setRateLimitBody,
  run: (call, parts) =>
    updateGroupMember(parts, call, {
      action: 'set-group-member-rate-limit',
      plan: async ({ tx, groupId, userId }) => {
        await checkIsInNoOtherGroup(tx, call, { userId, groupId });
        // Null and 0 are both unlimited.
        return { rateLimitRpm: call.body.rate_limit || null };
      },
    }),
});
