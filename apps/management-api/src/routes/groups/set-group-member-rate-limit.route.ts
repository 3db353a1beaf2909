import { setRateLimitBody } from '@weir/contracts';
import { updateGroupMember } from '../../records/group-members';
import { defineRoute } from '../../route';

export const setGroupMemberRateLimit = defineRoute({
  id: 'set-group-member-rate-limit',
  body: setRateLimitBody,
  run: (call, parts) =>
    updateGroupMember(parts, call, {
      action: 'set-group-member-rate-limit',
      // Null and 0 are both unlimited.
      plan: () => ({ rateLimitRpm: call.body.rate_limit || null }),
    }),
});
