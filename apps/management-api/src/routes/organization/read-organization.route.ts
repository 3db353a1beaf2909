import { describeOrganization } from '../../records/organization';
import { defineRoute, noBody, ok } from '../../route';

export const readOrganization = defineRoute({
  id: 'read-organization',
  body: noBody,
  run: async ({ organizationId }, { database }) => {
    const organization = await database.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } });
    return ok({ organization: describeOrganization(organization) });
  },
});
