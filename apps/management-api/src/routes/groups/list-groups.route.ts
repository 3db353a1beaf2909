import { describeGroupItems, listGroups as findGroups } from '../../records/groups';
import { cutPage, planSearchedPage } from '../../records/pages';
import { defineRoute, noBody, ok } from '../../route/route';

export const listGroups = defineRoute({
  id: 'list-groups',
  body: noBody,
  run: async ({ organizationId, authority, query }, parts) => {
    const plan = planSearchedPage(query);
    const found = await parts.database.asOrganization(organizationId).transact((tx) => findGroups(tx, { organizationId, authority }, plan));
    const { rows, more } = cutPage(found, plan, (group) => group);
    return ok({ groups: await describeGroupItems(parts, organizationId, rows), ...more });
  },
});
