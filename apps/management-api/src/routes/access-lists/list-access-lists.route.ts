import { describeAccessList, listAccessLists as findAccessLists } from '../../records/access-lists';
import { defineRoute, noBody, ok } from '../../route';

export const listAccessLists = defineRoute({
  id: 'list-access-lists',
  body: noBody,
  run: async ({ organizationId }, { database }) => {
    const lists = await findAccessLists(database.prisma, organizationId);
    return ok({ access_lists: lists.map(describeAccessList) });
  },
});
