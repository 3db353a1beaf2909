import { describeApiKeys, getApiKey } from '../../records/api-keys';
import { defineRoute, noBody, ok } from '../../route';

/** Every key may look at itself. */
export const readCallingApiKey = defineRoute({
  id: 'read-calling-api-key',
  body: noBody,
  run: async ({ principal, organizationId }, parts) => {
    const { apiKeyId } = principal.key;
    const key = await parts.database.asOrganization(organizationId).transact((tx) => getApiKey(tx, organizationId, apiKeyId));
    const [described] = await describeApiKeys(parts, organizationId, [key]);
    // Clients of the existing interface read the fields at the top; as `key` they are where every other answer has them.
    return ok({ ...described, key: described });
  },
});
