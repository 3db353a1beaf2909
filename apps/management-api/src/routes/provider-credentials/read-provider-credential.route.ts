import { describeCredential, getCredential } from '../../records/provider-credentials';
import { requireId } from '../../records/require-id';
import { defineRoute, noBody, ok } from '../../route/route';

export const readProviderCredential = defineRoute({
  id: 'read-provider-credential',
  body: noBody,
  run: async ({ params, organizationId }, { database }) => {
    const id = requireId(params['id'], 'provider credential');
    const credential = await database.asOrganization(organizationId).transact((tx) => getCredential(tx, organizationId, id));
    return ok({ provider_credential: describeCredential(credential) });
  },
});
