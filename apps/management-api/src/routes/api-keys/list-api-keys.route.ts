import { describeApiKeys, listApiKeys as findApiKeys } from '../../records/api-keys';
import { cutPage, planPage } from '../../records/pages';
import { defineRoute, noBody, ok } from '../../route';

export const listApiKeys = defineRoute({
  id: 'list-api-keys',
  body: noBody,
  run: async ({ organizationId, query }, parts) => {
    const plan = planPage(query);
    const { rows, more } = cutPage(await findApiKeys(parts.database.prisma, organizationId, plan), plan, (key) => key);
    return ok({ keys: await describeApiKeys(parts, rows), ...more });
  },
});
