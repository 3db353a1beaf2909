import { readCostCentreRules } from '../../finance/cost-centres';
import { describeFinanceDocument } from '../../records/finance-documents';
import { defineRoute, noBody, ok } from '../../route/route';

export const readCostCentres = defineRoute({
  id: 'read-cost-centres',
  body: noBody,
  run: async ({ organizationId }, { database }) => {
    const rules = await database.asOrganization(organizationId).transact((tx) => readCostCentreRules(tx, organizationId));
    return ok({ cost_centres: describeFinanceDocument(rules) });
  },
});
