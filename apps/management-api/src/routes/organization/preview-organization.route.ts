import { previewOrganizationBody } from '@weir/contracts';
import { describeOrganization } from '../../records/organization';
import { previewSettings } from '../../records/preview-settings';
import { defineRoute, ok } from '../../route/route';

/** Which models settings would let in and shut out. */
export const previewOrganization = defineRoute({
  id: 'preview-organization',
  body: previewOrganizationBody,
  run: async ({ organizationId, body }, { database, catalog }) => {
    const organization = await database
      .asOrganization(organizationId)
      .transact((tx) => tx.organization.findUniqueOrThrow({ where: { id: organizationId } }));
    return ok(await previewSettings(describeOrganization(organization), body, catalog));
  },
});
