import { describeMembership, listMembers as findMembers } from '../../records/members';
import { cutPage, planSearchedPage } from '../../records/pages';
import { defineRoute, noBody, ok } from '../../route/route';

export const listMembers = defineRoute({
  id: 'list-members',
  body: noBody,
  run: async ({ organizationId, query }, { database }) => {
    const plan = planSearchedPage(query);
    const found = await database.asOrganization(organizationId).transact((tx) => findMembers(tx, organizationId, plan));
    const { rows, more } = cutPage(found, plan, ({ createdAt, userId }) => ({ createdAt, id: userId }));
    return ok({ members: rows.map(describeMembership), ...more });
  },
});
