import { setLimitBody } from '@weir/contracts';
import { changeApiKey } from '../../records/api-keys';
import { requireId } from '../../records/require-id';
import { limitToPico } from '../../records/usd';
import { defineRoute, done } from '../../route/route';

export const setApiKeyLimit = defineRoute({
  id: 'set-api-key-limit',
  body: setLimitBody,
  run: async (call, parts) => {
    const id = requireId(call.params['id'], 'API key');
    const monthlyLimitPico = limitToPico(call.body.monthly_limit, 'monthly_limit');
    await changeApiKey(parts, { ...call, action: 'set-api-key-limit', id }, () => Promise.resolve({ monthlyLimitPico }));
    return done;
  },
});
