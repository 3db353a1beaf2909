import { offboardMember as runOffboarding } from '../../identity/offboard-member';
import { defineRoute, noBody, ok } from '../../route/route';

export const offboardMember = defineRoute({
  id: 'offboard-member',
  body: noBody,
  run: async (call, parts) => {
    const wasMember = await runOffboarding(parts, { ...call, userId: call.params['id'] ?? '' });
    return ok({ was_member: wasMember });
  },
});
