import { apiKeyListParameters } from '@weir/contracts';
import { parseBody } from '../../bodies/parse-body';
import { describeApiKeys, listApiKeys as findApiKeys } from '../../records/api-keys';
import { cutPage, readSearchedPagePlan } from '../../records/pages';
import { defineRoute, noBody, ok } from '../../route/route';

export const listApiKeys = defineRoute({
  id: 'list-api-keys',
  body: noBody,
  run: async ({ organizationId, authority, query }, parts) => {
    const { state, ...page } = parseBody(apiKeyListParameters, query);
    const plan = readSearchedPagePlan(page);
    const found = await parts.database
      .asOrganization(organizationId)
      .transact((tx) => findApiKeys(tx, { organizationId, authority, state }, plan));
    const { rows, more } = cutPage(found, plan, (key) => key);
    return ok({ keys: await describeApiKeys(parts, organizationId, rows), ...more });
  },
});
