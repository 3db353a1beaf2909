import { createAccessListBody } from '@weir/contracts';
import { runChange } from '../../changes/run-change';
import { describeWarnings, findEmptyEntries, listNames } from '../../records/access-list-warnings';
import { describeAccessList, getAccessList, replaceEntries } from '../../records/access-lists';
import { defineRoute, ok } from '../../route/route';

export const createAccessList = defineRoute({
  id: 'create-access-list',
  body: createAccessListBody,
  run: async (call, parts) => {
    const { organizationId, body } = call;
    const { catalog } = parts;
    const created = await runChange(parts, { ...call, action: 'create-access-list' }, async (tx) => {
      const list = await tx.accessList.create({ data: { organizationId, name: body.name, isAutoApprove: body.auto_approve } });
      const names = await listNames(tx, organizationId);
      await replaceEntries(tx, { listId: list.id, patterns: body, isAutoApprove: body.auto_approve, catalog, names });
      const after = describeAccessList(await getAccessList(tx, organizationId, list.id));
      return {
        result: { id: list.id, ...describeWarnings(await findEmptyEntries(body, { catalog, names })) },
        audit: { targetKind: 'access-list', targetId: list.id, before: null, after },
        changed: [{ entity: 'access-list', entityId: list.id }],
      };
    });
    return ok(created);
  },
});
