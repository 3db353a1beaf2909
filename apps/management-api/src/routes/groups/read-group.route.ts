import { describeGroupDetail, getGroup } from '../../records/groups';
import { requireId } from '../../records/require-id';
import { defineRoute, noBody, ok } from '../../route';

export const readGroup = defineRoute({
  id: 'read-group',
  body: noBody,
  run: async ({ params, organizationId }, parts) => {
    const group = await getGroup(parts.database.prisma, organizationId, requireId(params['id'], 'group'));
    return ok({ group: await describeGroupDetail(parts, group) });
  },
});
