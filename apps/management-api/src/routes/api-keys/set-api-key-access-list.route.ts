import { setAccessListBody } from '@weir/contracts';
import { checkAccessListExists } from '../../records/access-lists';
import { changeApiKey } from '../../records/api-keys';
import { requireId } from '../../records/require-id';
import { defineRoute, done } from '../../route/route';

export const setApiKeyAccessList = defineRoute({
  id: 'set-api-key-access-list',
  body: setAccessListBody,
  run: async (call, parts) => {
    const id = requireId(call.params['id'], 'API key');
    const accessListId = call.body.access_list_id;
    await changeApiKey(parts, { ...call, action: 'set-api-key-access-list', id }, async (tx) => {
      await checkAccessListExists(tx, call.organizationId, accessListId);
      return { accessListId };
    });
    return done;
  },
});
