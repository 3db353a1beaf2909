import { GatewayError } from '@weir/errors';
import { runChange } from '../../changes/run-change';
import { auditGroup, getGroup } from '../../records/groups';
import { requireId } from '../../records/require-id';
import { defineRoute, done, noBody } from '../../route/route';

export const deleteGroup = defineRoute({
  id: 'delete-group',
  body: noBody,
  run: async (call, parts) => {
    const { organizationId } = call;
    const id = requireId(call.params['id'], 'group');
    await runChange(parts, { ...call, action: 'delete-group' }, async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM user_group WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR UPDATE`;
      const group = await getGroup(tx, organizationId, id);
      // Keys that lost their group would lose its limits and its access list with it, unnoticed.
      const keys = await tx.apiKey.count({ where: { groupId: id, status: 'active' } });
      if (keys > 0) throw new GatewayError('conflict', `The group has ${keys} API keys; move or revoke them first.`);
      await tx.apiKey.updateMany({ where: { groupId: id }, data: { groupId: null } }); // revoked ones
      await tx.userGroup.delete({ where: { id } });
      return {
        result: undefined,
        audit: { targetKind: 'group', targetId: id, before: auditGroup(group), after: null },
        changed: [{ entity: 'group', entityId: id }],
      };
    });
    return done;
  },
});
