import { describeApiKeys, listApiKeys as findApiKeys } from '../../records/api-keys';
import { defineRoute, noBody, ok } from '../../route';

export const listApiKeys = defineRoute({
  id: 'list-api-keys',
  body: noBody,
  run: async ({ organizationId }, parts) =>
    ok({ keys: await describeApiKeys(parts, await findApiKeys(parts.database.prisma, organizationId)) }),
});
