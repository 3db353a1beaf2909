import { describeMembership, listMembers as findMembers } from '../../records/members';
import { defineRoute, noBody, ok } from '../../route';

export const listMembers = defineRoute({
  id: 'list-members',
  body: noBody,
  run: async ({ organizationId }, { database }) =>
    ok({ members: (await findMembers(database.prisma, organizationId)).map(describeMembership) }),
});
