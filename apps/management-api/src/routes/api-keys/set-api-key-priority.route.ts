import { setPriorityBody } from '@weir/contracts';
import { changeApiKey } from '../../records/api-keys';
import { requireId } from '../../records/require-id';
import { defineRoute, done } from '../../route/route';

export const setApiKeyPriority = defineRoute({
  id: 'set-api-key-priority',
  body: setPriorityBody,
  run: async (call, parts) => {
    const id = requireId(call.params['id'], 'API key');
    const { priority, share } = call.body;
    await changeApiKey(parts, { ...call, action: 'set-api-key-priority', id }, () =>
      Promise.resolve({ ...(priority === undefined ? {} : { priority }), ...(share === undefined ? {} : { share }) }),
    );
    return done;
  },
});
