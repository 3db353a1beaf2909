import { runChange } from '../changes/run-change';
import { findFirstOrganization } from '../organizations/recover-key';
import { createApiKeySecret } from '../records/api-key-secret';
import { insertApiKey } from '../records/insert-api-key';
import type { ManagementParts } from '../route/management-parts';

const LASTS_MS = 12 * 3_600_000;

/**
 * Makes a key for half a day that acts for an administrator of the organization of the first start. It belongs to no person:
 * anyone who reads the terminal of the gateway is its operator.
 */
export async function openAdministratorSession(
  parts: ManagementParts,
  { requestId, ip }: { readonly requestId: string; readonly ip: string | null },
): Promise<string> {
  const organizationId = await findFirstOrganization(parts);
  const secret = createApiKeySecret(parts);
  const expiresAt = new Date(parts.now() + LASTS_MS);
  const actor = { kind: 'operator' as const, id: 'console link' };
  await runChange(parts, { actor, organizationId, action: 'open-session', requestId, ip }, (tx) =>
    insertApiKey(
      tx,
      {
        ...{ organizationId, userId: null, name: 'Console', permManage: 'write', permCompletions: 'write', isSession: true, expiresAt },
        ...{ groupId: null, accessListId: null, labels: {} },
      },
      secret,
    ),
  );
  return secret.secret;
}
