import { describeOrganization } from '../../records/organization';
import { defineRoute, noBody, ok } from '../../route/route';

export const readOrganization = defineRoute({
  id: 'read-organization',
  body: noBody,
  run: async ({ organizationId }, { database }) => {
    const organization = await database
      .asOrganization(organizationId)
      .transact((tx) => tx.organization.findUniqueOrThrow({ where: { id: organizationId } }));
    return ok({ organization: describeOrganization(organization) });
  },
});
