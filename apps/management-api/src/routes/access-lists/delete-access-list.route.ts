import { GatewayError } from '@weir/errors';
import { runChange } from '../../changes/run-change';
import { describeAccessList, getAccessList } from '../../records/access-lists';
import { requireId } from '../../records/require-id';
import { defineRoute, done, noBody } from '../../route/route';

export const deleteAccessList = defineRoute({
  id: 'delete-access-list',
  body: noBody,
  run: async (call, parts) => {
    const { organizationId } = call;
    const id = requireId(call.params['id'], 'access list');
    await runChange(parts, { ...call, action: 'delete-access-list' }, async (tx) => {
      // Locked against new attachments, which take a share of this lock by their foreign key.
      await tx.$queryRaw`SELECT 1 FROM access_list WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR UPDATE`;
      const list = await getAccessList(tx, organizationId, id);
      const keys = await tx.apiKey.count({ where: { accessListId: id, status: 'active' } });
      const groups = await tx.userGroup.count({ where: { accessListId: id } });
      if (keys + groups > 0) {
        throw new GatewayError('conflict', `The access list is attached to ${keys} API keys and ${groups} groups; detach it first.`);
      }
      await tx.apiKey.updateMany({ where: { accessListId: id }, data: { accessListId: null } }); // revoked ones
      await tx.accessList.delete({ where: { id } });
      return {
        result: undefined,
        audit: { targetKind: 'access-list', targetId: id, before: describeAccessList(list), after: null },
        changed: [{ entity: 'access-list', entityId: id }],
      };
    });
    return done;
  },
});
