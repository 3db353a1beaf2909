import { verifyLimitUsage } from '@weir/database';
import { formatUsd } from '@weir/pricing';
import { UsageError, type Command } from './command';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const verifyLimits: Command = {
  words: 'limit verify',
  summary: 'Adds up the usage events of limits anew: lists each count that is not their sum.',
  options: [{ name: 'organization', value: 'ID', meaning: 'whose limits; all of them unless given' }],
  run: async ({ options }, { open }) => {
    const organization = options['organization'];
    if (organization !== undefined && !UUID.test(organization)) throw new UsageError('--organization takes the id of an organization.');
    const { database } = await open();
    const asked = { organizationId: organization?.toLowerCase() ?? null, nowMs: Date.now() };
    const { compared, notCompared, differences } = await verifyLimitUsage(database.pool, asked);
    return {
      is_whole: differences.length === 0,
      compared,
      not_compared: notCompared,
      differences: differences.map(({ organizationId, limitId, measure, scope, counted, used }) => {
        const show = (amount: bigint): string => (measure === 'usd' ? formatUsd(amount) : String(amount));
        return { organization_id: organizationId, limit_id: limitId, measure, scope, counted: show(counted), used: show(used) };
      }),
    };
  },
};
