import { priceListBody } from '@weir/contracts';
import { priceListOf } from '../../finance/price-list';
import { describeFinanceDocument, replaceFinanceDocument } from '../../records/finance-documents';
import { defineRoute, ok } from '../../route/route';

export const replacePriceList = defineRoute({
  id: 'replace-price-list',
  body: priceListBody,
  run: async (call, parts) => {
    const replaced = await replaceFinanceDocument(
      parts,
      { ...call, action: 'replace-price-list' },
      { ...priceListOf(call.organizationId), document: call.body, check: () => Promise.resolve() },
    );
    return ok({ price_list: describeFinanceDocument(replaced) });
  },
});
