import { describeAutoTopUp } from '../../records/auto-top-up';
import { defineRoute, noBody, ok } from '../../route/route';

export const readAutoTopUp = defineRoute({
  id: 'read-auto-top-up',
  body: noBody,
  run: async ({ organizationId }, { database }) => {
    const row = await database.asOrganization(organizationId).transact((tx) => tx.autoTopUp.findUnique({ where: { organizationId } }));
    return ok({ auto_top_up: describeAutoTopUp(row) });
  },
});
