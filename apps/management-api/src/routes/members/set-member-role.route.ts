import { setOrganizationRoleBody } from '@weir/contracts';
import { runChange } from '../../changes/run-change';
import { keepAnAdministrator } from '../../records/administrators';
import { describeMembership, getMembership } from '../../records/members';
import { requireId } from '../../records/require-id';
import { defineRoute, ok } from '../../route/route';

/** Makes a member an administrator of the organization, or an administrator a plain member; their keys follow. */
export const setMemberRole = defineRoute({
  id: 'set-member-role',
  body: setOrganizationRoleBody,
  run: async (call, parts) => {
    const { organizationId } = call;
    const userId = requireId(call.params['id'], 'member');
    const at = { organizationId, nowMs: parts.now() };
    const member = await runChange(parts, { ...call, action: 'set-member-role' }, (tx) =>
      keepAnAdministrator(tx, at, async () => {
        const before = describeMembership(await getMembership(tx, { organizationId, userId }));
        await tx.orgMember.update({ where: { organizationId_userId: { organizationId, userId } }, data: { role: call.body.role } });
        const after = describeMembership(await getMembership(tx, { organizationId, userId }));
        return {
          result: after,
          audit: { targetKind: 'member', targetId: userId, before, after },
          // What all keys of the member may do.
          changed: [{ entity: 'organization', entityId: organizationId }],
        };
      }),
    );
    return ok({ member });
  },
});
