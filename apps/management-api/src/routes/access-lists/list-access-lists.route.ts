import { describeAccessList, listAccessLists as findAccessLists } from '../../records/access-lists';
import { cutPage, planPage } from '../../records/pages';
import { defineRoute, noBody, ok } from '../../route/route';

export const listAccessLists = defineRoute({
  id: 'list-access-lists',
  body: noBody,
  run: async ({ organizationId, query }, { database }) => {
    const plan = planPage(query);
    const found = await database.asOrganization(organizationId).transact((tx) => findAccessLists(tx, organizationId, plan));
    const { rows, more } = cutPage(found, plan, (list) => list);
    return ok({ access_lists: rows.map(describeAccessList), ...more });
  },
});
