import { describeAccessList, getAccessList } from '../../records/access-lists';
import { requireId } from '../../records/require-id';
import { defineRoute, noBody, ok } from '../../route/route';

export const readAccessList = defineRoute({
  id: 'read-access-list',
  body: noBody,
  run: async ({ params, organizationId }, { database }) => {
    const id = requireId(params['id'], 'access list');
    const list = await database.asOrganization(organizationId).transact((tx) => getAccessList(tx, organizationId, id));
    return ok({ access_list: describeAccessList(list) });
  },
});
