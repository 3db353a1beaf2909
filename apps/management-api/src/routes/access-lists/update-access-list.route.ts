import { updateAccessListBody } from '@weir/contracts';
import { runChange } from '../../changes/run-change';
import { describeWarnings, findEmptyEntries, listNames } from '../../records/access-list-warnings';
import { describeAccessList, getAccessList, patternsOf, replaceEntries } from '../../records/access-lists';
import { requireId } from '../../records/require-id';
import { defineRoute, ok } from '../../route/route';

export const updateAccessList = defineRoute({
  id: 'update-access-list',
  body: updateAccessListBody,
  run: async (call, parts) => {
    const { organizationId, body } = call;
    const id = requireId(call.params['id'], 'access list');
    const { catalog } = parts;
    const changed = await runChange(parts, { ...call, action: 'update-access-list' }, async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM access_list WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR UPDATE`;
      const found = await getAccessList(tx, organizationId, id);
      const before = describeAccessList(found);
      const isAutoApprove = body.auto_approve ?? found.isAutoApprove;
      await tx.accessList.update({
        where: { id },
        data: { version: { increment: 1 }, isAutoApprove, ...(body.name === undefined ? {} : { name: body.name }) },
      });
      // Freezing keeps what the list lets in at this moment, thawing lets its patterns speak again: both concern all of it.
      const patterns = isAutoApprove === found.isAutoApprove ? body : { ...patternsOf(found), ...body };
      const names = await listNames(tx, organizationId);
      await replaceEntries(tx, { listId: id, patterns, isAutoApprove, catalog, names });
      const after = describeAccessList(await getAccessList(tx, organizationId, id));
      return {
        result: { access_list: after, ...describeWarnings(await findEmptyEntries(patterns, { catalog, names })) },
        audit: { targetKind: 'access-list', targetId: id, before, after },
        changed: [{ entity: 'access-list', entityId: id }],
      };
    });
    return ok(changed);
  },
});
