import { describeGroupDetail, getGroup } from '../../records/groups';
import { requireId } from '../../records/require-id';
import { defineRoute, noBody, ok } from '../../route/route';

export const readGroup = defineRoute({
  id: 'read-group',
  body: noBody,
  run: async ({ params, organizationId }, parts) => {
    const id = requireId(params['id'], 'group');
    const group = await parts.database.asOrganization(organizationId).transact((tx) => getGroup(tx, organizationId, id));
    return ok({ group: await describeGroupDetail(parts, organizationId, group) });
  },
});
