import { describeApiKeys, getApiKey } from '../../records/api-keys';
import { requireId } from '../../records/require-id';
import { defineRoute, noBody, ok } from '../../route';

export const readApiKey = defineRoute({
  id: 'read-api-key',
  body: noBody,
  run: async ({ params, organizationId }, parts) => {
    const key = await getApiKey(parts.database.prisma, organizationId, requireId(params['id'], 'API key'));
    const [described] = await describeApiKeys(parts, [key]);
    return ok({ key: described });
  },
});
