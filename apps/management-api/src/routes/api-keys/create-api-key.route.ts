import { invalidCredentials } from '@weir/access';
import { createApiKeyBody } from '@weir/contracts';
import { runChange } from '../../changes/run-change';
import { createApiKeySecret } from '../../records/api-key-secret';
import { insertApiKey, planApiKey } from '../../records/insert-api-key';
import { holdMembership } from '../../records/members';
import { created, defineRoute } from '../../route';

export const createApiKey = defineRoute({
  id: 'create-api-key',
  body: createApiKeyBody,
  run: async (call, parts) => {
    const { organizationId, body, principal } = call;
    const secret = createApiKeySecret(parts);
    const { userId } = principal.key;
    const key = planApiKey(body, { organizationId, userId, nowMs: parts.now() });
    const id = await runChange(parts, { ...call, action: 'create-api-key' }, async (tx) => {
      // Whoever is offboarded at this moment leaves no key behind.
      if (userId !== null && !(await holdMembership(tx, { organizationId, userId }))) throw invalidCredentials();
      return insertApiKey(tx, key, secret);
    });
    return created({ api_key_id: id, api_key: secret.secret });
  },
});
