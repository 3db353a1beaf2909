import { readShownBalance } from '@weir/database';
import { formatUsd } from '@weir/pricing';
import { defineRoute, noBody, ok } from '../../route/route';

/** What the organization has left, by kind of money, in USD as exact decimal text. */
export const readBalance = defineRoute({
  id: 'read-balance',
  body: noBody,
  run: async ({ organizationId }, { database }) => {
    const balance = await readShownBalance(database.asOrganization(organizationId), organizationId);
    const { totalPico, cashPico, promotionPico, giftPico } = balance;
    return ok({
      balance: {
        currency: 'USD',
        total: formatUsd(totalPico),
        cash: formatUsd(cashPico),
        promotion: formatUsd(promotionPico),
        gift: formatUsd(giftPico),
      },
    });
  },
});
