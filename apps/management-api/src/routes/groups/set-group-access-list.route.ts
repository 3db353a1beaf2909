import { setAccessListBody } from '@weir/contracts';
import { checkAccessListExists } from '../../records/access-lists';
import { changeGroup } from '../../records/groups';
import { requireId } from '../../records/require-id';
import { defineRoute, done } from '../../route/route';

export const setGroupAccessList = defineRoute({
  id: 'set-group-access-list',
  body: setAccessListBody,
  run: async (call, parts) => {
    const id = requireId(call.params['id'], 'group');
    const accessListId = call.body.access_list_id;
    await changeGroup(parts, { ...call, action: 'set-group-access-list', id }, async (tx) => {
      await checkAccessListExists(tx, call.organizationId, accessListId);
      return { accessListId };
    });
    return done;
  },
});
