import { readGroupRoles, type Authority } from '../../route/authority';
import type { RouteParts } from '../../route/management-parts';
import { describeApiKeys, getApiKey } from '../../records/api-keys';
import { defineRoute, noBody, ok } from '../../route/route';

/** Every key may look at itself. */
export const readCallingApiKey = defineRoute({
  id: 'read-calling-api-key',
  body: noBody,
  run: async ({ principal, organizationId, authority }, parts) => {
    const { apiKeyId } = principal.key;
    const key = await parts.database.asOrganization(organizationId).transact((tx) => getApiKey(tx, organizationId, apiKeyId));
    const [described] = await describeApiKeys(parts, organizationId, [key]);
    // Clients of the existing interface read the fields at the top; as `key` they are where every other response has them.
    return ok({ ...described, key: described, acts_as: authority.kind, groups: await readGroups(parts, { organizationId, authority }) });
  },
});

type GroupRole = { readonly id: string; readonly role: string };

/** Groups of the person who owns the key, with their role in each. */
async function readGroups(
  { database }: RouteParts,
  { organizationId, authority }: { readonly organizationId: string; readonly authority: Authority },
): Promise<GroupRole[]> {
  const { userId } = authority;
  if (userId === null) return [];
  const roles = await database.asOrganization(organizationId).transact((tx) => readGroupRoles(tx, { organizationId, userId }));
  return roles.map(({ groupId: id, role }) => ({ id, role }));
}
