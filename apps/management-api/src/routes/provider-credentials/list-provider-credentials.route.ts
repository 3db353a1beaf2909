import { cutPage, planPage } from '../../records/pages';
import { describeCredential, listCredentials } from '../../records/provider-credentials';
import { defineRoute, noBody, ok } from '../../route/route';

export const listProviderCredentials = defineRoute({
  id: 'list-provider-credentials',
  body: noBody,
  run: async ({ organizationId, query }, { database }) => {
    const plan = planPage(query);
    const found = await database.asOrganization(organizationId).transact((tx) => listCredentials(tx, organizationId, plan));
    const { rows, more } = cutPage(found, plan, (credential) => credential);
    return ok({ provider_credentials: rows.map(describeCredential), ...more });
  },
});
