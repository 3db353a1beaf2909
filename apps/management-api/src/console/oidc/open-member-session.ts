import { runChange } from '../../changes/run-change';
import { isAdministrator } from '../../records/administrators';
import { createApiKeySecret } from '../../records/api-key-secret';
import { insertApiKey } from '../../records/insert-api-key';
import { holdMembership } from '../../records/members';
import { readGroupRoles } from '../../route/authority';
import type { ManagementParts } from '../../route/management-parts';
import type { SignInCaller } from './admit-person';
import { SignInRefusal } from './sign-in-refusal';

type Opening = SignInCaller & { readonly userId: string; readonly lastsMs: number };

/**
 * Makes the key that a member's session at the console holds. It reaches as far as their roles, ends with the longest a
 * session lasts, with the membership and with signing out. It infers for the group they are in; of several, no one has said
 * which is to pay, and it does not infer.
 */
export async function openMemberSession(parts: ManagementParts, { userId, lastsMs, ...at }: Opening): Promise<string> {
  const { organizationId } = at;
  const secret = createApiKeySecret(parts);
  const expiresAt = new Date(parts.now() + lastsMs);
  await runChange(parts, { ...at, actor: { kind: 'user', id: userId }, action: 'open-session' }, async (tx) => {
    if (!(await holdMembership(tx, { organizationId, userId })))
      throw new SignInRefusal('offboarded', 'the membership ended while the person signed in');
    const groups = await readGroupRoles(tx, { organizationId, userId });
    const [only] = groups;
    const isFree = await isAdministrator(tx, { organizationId, userId });
    return insertApiKey(
      tx,
      {
        ...{ organizationId, userId, name: 'Console', permManage: 'write', isSession: true, expiresAt },
        permCompletions: isFree || groups.length < 2 ? 'write' : 'none',
        groupId: isFree || groups.length > 1 ? null : (only?.groupId ?? null),
        ...{ accessListId: null, labels: {} },
      },
      secret,
    );
  });
  return secret.secret;
}
