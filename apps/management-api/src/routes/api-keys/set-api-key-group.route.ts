import { setGroupBody } from '@weir/contracts';
import { changeApiKey } from '../../records/api-keys';
import { checkGroupExists } from '../../records/groups';
import { requireId } from '../../records/require-id';
import { defineRoute, done } from '../../route/route';

export const setApiKeyGroup = defineRoute({
  id: 'set-api-key-group',
  body: setGroupBody,
  run: async (call, parts) => {
    const id = requireId(call.params['id'], 'API key');
    const groupId = call.body.group_id;
    await changeApiKey(parts, { ...call, action: 'set-api-key-group', id }, async (tx) => {
      await checkGroupExists(tx, call.organizationId, groupId);
      return { groupId };
    });
    return done;
  },
});
