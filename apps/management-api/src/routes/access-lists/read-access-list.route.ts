import { describeAccessList, getAccessList } from '../../records/access-lists';
import { requireId } from '../../records/require-id';
import { defineRoute, noBody, ok } from '../../route';

export const readAccessList = defineRoute({
  id: 'read-access-list',
  body: noBody,
  run: async ({ params, organizationId }, { database }) => {
    const list = await getAccessList(database.prisma, organizationId, requireId(params['id'], 'access list'));
    return ok({ access_list: describeAccessList(list) });
  },
});
