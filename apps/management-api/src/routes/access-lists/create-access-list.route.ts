import { createAccessListBody } from '@weir/contracts';
import { runChange } from '../../changes/run-change';
import { describeAccessList, getAccessList, replaceEntries } from '../../records/access-lists';
import { defineRoute, ok } from '../../route';

export const createAccessList = defineRoute({
  id: 'create-access-list',
  body: createAccessListBody,
  run: async (call, parts) => {
    const { organizationId, body } = call;
    const id = await runChange(parts, { ...call, action: 'create-access-list' }, async (tx) => {
      const list = await tx.accessList.create({ data: { organizationId, name: body.name, isAutoApprove: body.auto_approve } });
      await replaceEntries(tx, { listId: list.id, patterns: body, isAutoApprove: body.auto_approve, catalog: parts.catalog });
      const after = describeAccessList(await getAccessList(tx, organizationId, list.id));
      return {
        result: list.id,
        audit: { targetKind: 'access-list', targetId: list.id, before: null, after },
        changed: [{ entity: 'access-list', entityId: list.id }],
      };
    });
    return ok({ id });
  },
});
