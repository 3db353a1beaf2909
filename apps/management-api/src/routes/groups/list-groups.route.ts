import { describeGroupItems, listGroups as findGroups } from '../../records/groups';
import { cutPage, planPage } from '../../records/pages';
import { defineRoute, noBody, ok } from '../../route';

export const listGroups = defineRoute({
  id: 'list-groups',
  body: noBody,
  run: async ({ organizationId, query }, parts) => {
    const plan = planPage(query);
    const { rows, more } = cutPage(await findGroups(parts.database.prisma, organizationId, plan), plan, (group) => group);
    return ok({ groups: await describeGroupItems(parts, rows), ...more });
  },
});
