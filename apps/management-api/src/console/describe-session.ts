import type { Principal } from '@weir/access';
import type { ManagementParts } from '../route/management-parts';
import { readAuthority } from '../route/authority';

type Facts = { readonly csrfToken: string; readonly endsAtMs: number };

/** What the console shows of who is signed in. The key itself is in no response. */
export async function describeSession(
  { database }: Pick<ManagementParts, 'database'>,
  principal: Principal,
  { csrfToken, endsAtMs }: Facts,
): Promise<object> {
  const { organizationId, apiKeyId, name, userId, permissions, expiresAtMs } = principal.key;
  const authority = await readAuthority({ database }, principal);
  const { organization, member } = await database.asOrganization(organizationId).transact(async (tx) => ({
    organization: await tx.organization.findUniqueOrThrow({ where: { id: organizationId }, select: { name: true } }),
    member:
      userId === null
        ? null
        : await tx.orgMember.findUnique({
            where: { organizationId_userId: { organizationId, userId } },
            select: { user: { select: { email: true } } },
          }),
  }));
  return {
    organization: { id: organizationId, name: organization.name },
    key: { id: apiKeyId, name },
    member: userId === null ? null : { id: userId, email: member?.user.email ?? null },
    permissions: { completions: permissions.completions, manage: permissions.manage, contents: permissions.contents ?? 'none' },
    is_administrator: authority.kind === 'organization-admin',
    csrf_token: csrfToken,
    expires_at: new Date(Math.min(endsAtMs, expiresAtMs ?? Infinity)).toISOString(),
  };
}
