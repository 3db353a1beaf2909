import { costCentresBody } from '@weir/contracts';
import { checkCostCentreRules, costCentresOf } from '../../finance/cost-centres';
import { describeFinanceDocument, replaceFinanceDocument } from '../../records/finance-documents';
import { defineRoute, ok } from '../../route/route';

export const replaceCostCentres = defineRoute({
  id: 'replace-cost-centres',
  body: costCentresBody,
  run: async (call, parts) => {
    const { organizationId, body: document } = call;
    const replaced = await replaceFinanceDocument(
      parts,
      { ...call, action: 'replace-cost-centres' },
      { ...costCentresOf(organizationId), document, check: (tx) => checkCostCentreRules(tx, organizationId, document) },
    );
    return ok({ cost_centres: describeFinanceDocument(replaced) });
  },
});
