import { previewOrganizationBody } from '@weir/contracts';
import { describeBudgetSwitch, planBudgetSwitch } from '../../records/budget-modes';
import { describeOrganization } from '../../records/organization';
import { previewSettings } from '../../records/preview-settings';
import { defineRoute, ok } from '../../route/route';

/** Which models settings would let in and shut out, and what becomes of limits under another budget mode. */
export const previewOrganization = defineRoute({
  id: 'preview-organization',
  body: previewOrganizationBody,
  run: async ({ organizationId, body }, { database, catalog }) => {
    const { budget_mode: budgetMode, ...settings } = body;
    const { organization, budgets } = await database.asOrganization(organizationId).transact(async (tx) => ({
      organization: await tx.organization.findUniqueOrThrow({ where: { id: organizationId } }),
      budgets: await planBudgetSwitch(tx, organizationId, budgetMode),
    }));
    const preview = await previewSettings(describeOrganization(organization), settings, catalog);
    return ok({ ...preview, ...(budgets === undefined ? {} : { budgets: describeBudgetSwitch(budgets) }) });
  },
});
