import { describeLimits } from '../../records/limit-fill';
import { readRuleAddress } from '../../records/rule-routes';
import { getRule } from '../../records/rules';
import { defineRoute, noBody, ok } from '../../route/route';

/** One limit, and how full it is. */
export const readLimit = defineRoute({
  id: 'read-limit',
  body: noBody,
  run: async ({ params, organizationId }, parts) => {
    const address = readRuleAddress('limit', params);
    const rule = await parts.database.asOrganization(organizationId).transact((tx) => getRule(tx, organizationId, address));
    const [limit] = await describeLimits(parts, organizationId, [rule]);
    return ok({ limit });
  },
});
