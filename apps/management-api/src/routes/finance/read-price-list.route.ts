import { priceListOf } from '../../finance/price-list';
import { describeFinanceDocument, readFinanceDocument } from '../../records/finance-documents';
import { defineRoute, noBody, ok } from '../../route/route';

export const readPriceList = defineRoute({
  id: 'read-price-list',
  body: noBody,
  run: async ({ organizationId }, { database }) => {
    const list = await database.asOrganization(organizationId).transact((tx) => readFinanceDocument(tx, priceListOf(organizationId)));
    return ok({ price_list: describeFinanceDocument(list) });
  },
});
