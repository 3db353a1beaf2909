import { describeApiKeys, getApiKey } from '../../records/api-keys';
import { requireId } from '../../records/require-id';
import { defineRoute, noBody, ok } from '../../route/route';

export const readApiKey = defineRoute({
  id: 'read-api-key',
  body: noBody,
  run: async ({ params, organizationId }, parts) => {
    const id = requireId(params['id'], 'API key');
    const key = await parts.database.asOrganization(organizationId).transact((tx) => getApiKey(tx, organizationId, id));
    const [described] = await describeApiKeys(parts, organizationId, [key]);
    return ok({ key: described });
  },
});
