import { describeGroupItems, listGroups as findGroups } from '../../records/groups';
import { defineRoute, noBody, ok } from '../../route';

export const listGroups = defineRoute({
  id: 'list-groups',
  body: noBody,
  run: async ({ organizationId }, parts) =>
    ok({ groups: await describeGroupItems(parts, await findGroups(parts.database.prisma, organizationId)) }),
});
