import { readShownBalance } from '@weir/database';
import { formatUsd } from '@weir/pricing';
import { describeApiKeys, getApiKey } from '../../records/api-keys';
import { defineRoute, noBody, ok } from '../../route/route';

/**
 * The calling key as code editors show it beside their settings: amounts are text. The balance is money of the
 * organization: keys that may read its management see it when they act for one of its administrators. Others get none, and
 * editors show none.
 */
export const readCallingApiKeyForEditors = defineRoute({
  id: 'read-calling-api-key-for-editors',
  body: noBody,
  run: async ({ principal, authority, organizationId }, parts) => {
    const { apiKeyId, permissions } = principal.key;
    const organization = parts.database.asOrganization(organizationId);
    const key = await organization.transact((tx) => getApiKey(tx, organizationId, apiKeyId));
    const [described] = await describeApiKeys(parts, organizationId, [key]);
    const mayReadMoney = permissions.manage !== 'none' && authority.kind === 'organization-admin';
    return ok({
      name: key.name,
      monthly_limit: String(described?.['monthly_limit'] ?? 0),
      monthly_spend: String(described?.['monthly_spend'] ?? 0),
      ...(mayReadMoney ? { org_balance: formatUsd((await readShownBalance(organization, organizationId)).totalPico) } : {}),
      config: {},
    });
  },
});
