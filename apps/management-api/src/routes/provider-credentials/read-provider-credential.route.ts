import { describeCredential, getCredential } from '../../records/provider-credentials';
import { requireId } from '../../records/require-id';
import { defineRoute, noBody, ok } from '../../route';

export const readProviderCredential = defineRoute({
  id: 'read-provider-credential',
  body: noBody,
  run: async ({ params, organizationId }, { database }) => {
    const id = requireId(params['id'], 'provider credential');
    return ok({ provider_credential: describeCredential(await getCredential(database.prisma, organizationId, id)) });
  },
});
