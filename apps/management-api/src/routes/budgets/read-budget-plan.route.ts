import { budgetPlanOf } from '../../finance/budget-plans';
import { describeFinanceDocument, readFinanceDocument } from '../../records/finance-documents';
import { defineRoute, noBody, ok } from '../../route/route';

export const readBudgetPlan = defineRoute({
  id: 'read-budget-plan',
  body: noBody,
  run: async ({ organizationId }, { database }) => {
    const plan = await database.asOrganization(organizationId).transact((tx) => readFinanceDocument(tx, budgetPlanOf(organizationId)));
    return ok({ budget_plan: describeFinanceDocument(plan) });
  },
});
