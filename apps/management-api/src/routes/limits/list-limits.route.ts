import { describeLimits } from '../../records/limit-fill';
import { listLimits as findLimits, planLimitList } from '../../records/limits';
import { cutPage } from '../../records/pages';
import { describeRule } from '../../records/rules';
import { defineRoute, noBody, ok } from '../../route/route';

export const listLimits = defineRoute({
  id: 'list-limits',
  body: noBody,
  run: async ({ organizationId, query }, parts) => {
    const plan = planLimitList(query);
    const found = await parts.database.asOrganization(organizationId).transact((tx) => findLimits(tx, organizationId, plan));
    const { rows, more } = cutPage(found, plan, (limit) => limit);
    return ok({ limits: plan.isWithUsage ? await describeLimits(parts, organizationId, rows) : rows.map(describeRule), ...more });
  },
});
