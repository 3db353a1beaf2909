import type { Database } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { readGroupRoles } from '../route/authority';
import { runChange } from '../changes/run-change';
import type { ManagementParts } from '../route/management-parts';
import { isAdministrator } from '../records/administrators';
import { createApiKeySecret } from '../records/api-key-secret';
import { insertApiKey } from '../records/insert-api-key';
import { holdMembership } from '../records/members';

export type OpenedSession = {
  readonly organizationId: string;
  readonly apiKeyId: string;
  /** Opens the management interface as far as the person's roles reach, and infers nothing. Shown once. */
  readonly apiKey: string;
  readonly expiresAt: Date;
  readonly isAdministrator: boolean;
  readonly groups: readonly { readonly id: string; readonly name: string; readonly role: string }[];
};

type Opening = { readonly userId: string; readonly organizationId: string; readonly requestId: string; readonly ip: string | null };

const LASTS_MS = 3_600_000;
/** After its end. */
const KEPT_MS = 86_400_000;

/**
 * Makes the short-lived key that a person who has signed in calls the management interface with. It ends with the hour,
 * with the membership, and when it is revoked. Throws `not_found` for an organization they are no member of.
 */
export async function openSession(parts: ManagementParts, { userId, organizationId, requestId, ip }: Opening): Promise<OpenedSession> {
  const secret = createApiKeySecret(parts);
  const expiresAt = new Date(parts.now() + LASTS_MS);
  const caller = { actor: { kind: 'user' as const, id: userId }, organizationId, action: 'open-session', requestId, ip };
  const opened = await runChange(parts, caller, async (tx) => {
    if (!(await holdMembership(tx, { organizationId, userId })))
      throw new GatewayError('not_found', `You are no member of an organization "${organizationId}".`);
    const change = await insertApiKey(
      tx,
      {
        ...{ organizationId, userId, name: 'Session', permManage: 'write', permCompletions: 'none', isSession: true, expiresAt },
        ...{ groupId: null, accessListId: null, labels: {} },
      },
      secret,
    );
    const roles = await readGroupRoles(tx, { organizationId, userId });
    const groups = await tx.userGroup.findMany({
      where: { id: { in: roles.map(({ groupId }) => groupId) } },
      select: { id: true, name: true },
    });
    const named = new Map(groups.map(({ id, name }) => [id, name]));
    const result = {
      apiKeyId: change.result,
      isAdministrator: await isAdministrator(tx, { organizationId, userId }),
      groups: roles.map(({ groupId, role }) => ({ id: groupId, name: named.get(groupId) ?? '', role })),
    };
    return { ...change, result };
  });
  return { organizationId, apiKey: secret.secret, expiresAt, ...opened };
}

/**
 * Takes out what ended a day ago: nothing was ever counted under it, and the audit log keeps who opened it. One that may infer
 * stays, for usage names it.
 */
export async function forgetSessions({ prisma }: Pick<Database, 'prisma'>, nowMs: number): Promise<void> {
  await prisma.apiKey.deleteMany({ where: { isSession: true, permCompletions: 'none', expiresAt: { lt: new Date(nowMs - KEPT_MS) } } });
}
