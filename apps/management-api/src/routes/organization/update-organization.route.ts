import { updateOrganizationBody, type OrganizationSettingsBody } from '@weir/contracts';
import { Prisma } from '@weir/database';
import { runChange } from '../../changes/run-change';
import { carryBudgets, checkBudgetSwitch, describeBudgetSwitch, planBudgetSwitch } from '../../records/budget-modes';
import { describeOrganization, pickSettings } from '../../records/organization';
import { defineRoute, done } from '../../route/route';

export const updateOrganization = defineRoute({
  id: 'update-organization',
  body: updateOrganizationBody,
  run: async (call, parts) => {
    const { organizationId: id, body } = call;
    await runChange(parts, { ...call, action: 'update-organization' }, async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${id}::uuid FOR UPDATE`;
      const before = await tx.organization.findUniqueOrThrow({ where: { id } });
      const budgets = await planBudgetSwitch(tx, id, body.budget_mode);
      if (budgets !== undefined) {
        checkBudgetSwitch(budgets);
        await carryBudgets(tx, budgets);
      }
      const settings = { ...(before.settings as Prisma.InputJsonObject), ...pickSettings(body) };
      const after = await tx.organization.update({ where: { id }, data: { ...planColumns(body), settings, version: { increment: 1 } } });
      return {
        result: undefined,
        audit: {
          ...{ targetKind: 'organization', targetId: id, before: describeOrganization(before) },
          after: { ...describeOrganization(after), ...(budgets === undefined ? {} : { budgets: describeBudgetSwitch(budgets) }) },
        },
        changed: [{ entity: 'organization', entityId: id }],
      };
    });
    return done;
  },
});

function planColumns(body: OrganizationSettingsBody): Prisma.OrganizationUpdateInput {
  return {
    ...(body.budget_mode === undefined ? {} : { budgetMode: body.budget_mode }),
    ...(body.data_residency === undefined ? {} : { dataResidency: body.data_residency }),
    ...(body.zero_data_retention === undefined ? {} : { isZeroDataRetention: body.zero_data_retention }),
    ...(body.approved_models === undefined ? {} : { approvedModels: body.approved_models ?? Prisma.DbNull }),
    ...(body.tier === undefined ? {} : { tier: body.tier }),
  };
}
