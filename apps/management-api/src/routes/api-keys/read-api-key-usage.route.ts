import { z } from 'zod';
import { respondWithUsage } from '../../usage-replies/send-usage';
import { getApiKey } from '../../records/api-keys';
import { requireId } from '../../records/require-id';
import { defineRoute } from '../../route/route';

export const readApiKeyUsage = defineRoute({
  id: 'read-api-key-usage',
  body: z.record(z.string(), z.unknown()),
  readsBodyOfGet: true,
  run: async (call, parts) => {
    const { organizationId } = call;
    const id = requireId(call.params['id'], 'API key');
    const key = await parts.database.asOrganization(organizationId).transact((tx) => getApiKey(tx, organizationId, id));
    return respondWithUsage(parts, call, key.id);
  },
});
