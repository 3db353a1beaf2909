import { invalidCredentials } from '@weir/access';
import { createApiKeyBody } from '@weir/contracts';
import { planKeyOwner } from '../../authority/plan-key-owner';
import { runChange } from '../../changes/run-change';
import { createApiKeySecret } from '../../records/api-key-secret';
import { insertApiKey, planApiKey } from '../../records/insert-api-key';
import { holdMembership } from '../../records/members';
import { notFound } from '../../records/require-id';
import { created, defineRoute } from '../../route/route';

export const createApiKey = defineRoute({
  id: 'create-api-key',
  body: createApiKeyBody,
  run: async (call, parts) => {
    const { organizationId, body, principal } = call;
    const secret = createApiKeySecret(parts);
    const key = planApiKey(body, { organizationId, userId: null, nowMs: parts.now() });
    const id = await runChange(parts, { ...call, action: 'create-api-key' }, async (tx) => {
      const owner = await planKeyOwner(tx, call);
      // A member who is being offboarded at this moment can neither make a key nor get one.
      for (const userId of new Set([principal.key.userId, owner.userId])) {
        if (userId === null || (await holdMembership(tx, { organizationId, userId }))) continue;
        throw userId === principal.key.userId ? invalidCredentials() : notFound('member', userId);
      }
      return insertApiKey(tx, { ...key, ...owner }, secret);
    });
    return created({ api_key_id: id, id, api_key: secret.secret });
  },
});
