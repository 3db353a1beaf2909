import { alertDeliveryParameters } from '@weir/contracts';
import { parseBody } from '../../bodies/parse-body';
import { describeDelivery } from '../../records/alerts';
import { notFound, requireId } from '../../records/require-id';
import { defineRoute, noBody, ok } from '../../route/route';

/** What an alert has noticed, newest first. */
export const listAlertDeliveries = defineRoute({
  id: 'list-alert-deliveries',
  body: noBody,
  run: async ({ organizationId, params, query }, { database }) => {
    const alertId = requireId(params['id'], 'alert');
    const { limit, cursor } = parseBody(alertDeliveryParameters, query);
    const firings = await database.asOrganization(organizationId).transact(async (tx) => {
      if ((await tx.alert.count({ where: { id: alertId, organizationId } })) === 0) throw notFound('alert', alertId);
      return tx.alertFiring.findMany({
        where: { alertId, organizationId },
        orderBy: [{ firedAt: 'desc' }, { id: 'desc' }],
        take: limit + 1,
        ...(cursor === undefined ? {} : { cursor: { id: cursor }, skip: 1 }),
      });
    });
    const page = firings.slice(0, limit);
    return ok({ deliveries: page.map(describeDelivery), next: firings.length > limit ? (page.at(-1)?.id ?? null) : null });
  },
});
