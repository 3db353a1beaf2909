import { createApiKeyBody } from '@weir/contracts';
import { runChange } from '../../changes/run-change';
import { createApiKeySecret } from '../../records/api-key-secret';
import { insertApiKey, planApiKey } from '../../records/insert-api-key';
import { created, defineRoute } from '../../route';

export const createApiKey = defineRoute({
  id: 'create-api-key',
  body: createApiKeyBody,
  run: async (call, parts) => {
    const { organizationId, body, principal } = call;
    const secret = createApiKeySecret(parts);
    const key = planApiKey(body, { organizationId, userId: principal.key.userId, nowMs: parts.now() });
    const id = await runChange(parts, { ...call, action: 'create-api-key' }, (tx) => insertApiKey(tx, key, secret));
    return created({ api_key_id: id, api_key: secret.secret });
  },
});
