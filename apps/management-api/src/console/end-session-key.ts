import type { Principal } from '@weir/access';
import { runChange } from '../changes/run-change';
import { auditApiKey, getApiKey } from '../records/api-keys';
import type { ManagementParts } from '../route/management-parts';

type Ending = { readonly principal: Principal; readonly requestId: string; readonly ip: string | null };

/** Revokes the key of a session that ends, where it was made for the session alone; keys of people go on. */
export async function endSessionKey(parts: ManagementParts, { principal, requestId, ip }: Ending): Promise<void> {
  const { organizationId, apiKeyId: id } = principal.key;
  const own = parts.database.asOrganization(organizationId);
  const found = await own.transact((tx) => getApiKey(tx, organizationId, id));
  if (!found.isSession || found.status === 'revoked') return;
  await runChange(parts, { principal, organizationId, action: 'revoke-api-key', requestId, ip }, async (tx) => {
    const data = { status: 'revoked', revokedAt: new Date(parts.now()), version: { increment: 1 } };
    await tx.apiKey.update({ where: { id }, data });
    return {
      result: undefined,
      audit: {
        targetKind: 'api-key',
        targetId: id,
        before: auditApiKey(found),
        after: auditApiKey(await getApiKey(tx, organizationId, id)),
      },
      changed: [{ entity: 'api-key', entityId: id }],
    };
  });
}
