import { describeAlert } from '../../records/alerts';
import { cutPage, planPage, selectPage } from '../../records/pages';
import { defineRoute, noBody, ok } from '../../route/route';

export const listAlerts = defineRoute({
  id: 'list-alerts',
  body: noBody,
  run: async ({ organizationId, query }, { database }) => {
    const plan = planPage(query);
    const { where, ...page } = selectPage(plan, 'id');
    const alerts = await database
      .asOrganization(organizationId)
      .transact((tx) => tx.alert.findMany({ where: { organizationId, ...where }, ...page }));
    const { rows, more } = cutPage(alerts, plan, (alert) => alert);
    return ok({ alerts: rows.map(describeAlert), ...more });
  },
});
