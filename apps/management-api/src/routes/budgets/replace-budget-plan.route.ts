import { budgetPlanBody } from '@weir/contracts';
import { budgetPlanOf, checkBudgetPlan } from '../../finance/budget-plans';
import { describeFinanceDocument, replaceFinanceDocument } from '../../records/finance-documents';
import { defineRoute, ok } from '../../route/route';

export const replaceBudgetPlan = defineRoute({
  id: 'replace-budget-plan',
  body: budgetPlanBody,
  run: async (call, parts) => {
    const { organizationId, body: document } = call;
    const replaced = await replaceFinanceDocument(
      parts,
      { ...call, action: 'replace-budget-plan' },
      { ...budgetPlanOf(organizationId), document, check: (tx) => checkBudgetPlan(tx, organizationId, document) },
    );
    return ok({ budget_plan: describeFinanceDocument(replaced) });
  },
});
