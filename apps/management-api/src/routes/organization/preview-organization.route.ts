import { previewOrganizationBody } from '@weir/contracts';
import { describeBudgetSwitch, planBudgetSwitch } from '../../records/budget-modes';
import { findCallable } from '../../providers/merge-reports';
import { describeOrganization } from '../../records/organization';
import { previewSettings } from '../../records/preview-settings';
import { defineRoute, ok } from '../../route/route';

/** Which models settings would let in and shut out, and what becomes of limits under another budget mode. */
export const previewOrganization = defineRoute({
  id: 'preview-organization',
  body: previewOrganizationBody,
  run: async ({ organizationId, body }, parts) => {
    const { database, catalog } = parts;
    const { budget_mode: budgetMode, ...settings } = body;
    const { organization, budgets, credentials } = await database.asOrganization(organizationId).transact(async (tx) => ({
      organization: await tx.organization.findUniqueOrThrow({ where: { id: organizationId } }),
      credentials: await tx.providerCredential.findMany({ where: { organizationId }, select: { provider: true } }),
      budgets: await planBudgetSwitch(tx, organizationId, budgetMode),
    }));
    const isCallable = await findCallable(parts, new Set(credentials.map(({ provider }) => provider)));
    const preview = await previewSettings(describeOrganization(organization), settings, { catalog, isCallable });
    return ok({ ...preview, ...(budgets === undefined ? {} : { budgets: describeBudgetSwitch(budgets) }) });
  },
});
