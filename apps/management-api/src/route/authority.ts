import { invalidCredentials, type Principal } from '@weir/access';
import type { ManagementRole } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import type { RouteParts } from './management-parts';

/** What the caller of a management endpoint acts as. */
export type Authority =
  | { readonly kind: 'organization-admin'; readonly userId: string | null }
  | {
      readonly kind: 'group-admin' | 'member';
      readonly userId: string;
      /** Groups they are an administrator of. */
      readonly adminOf: readonly string[];
      /** All groups they are in. */
      readonly memberOf: readonly string[];
    };

/** Somebody who reaches a part of the organization only. */
export type LimitedAuthority = Exclude<Authority, { kind: 'organization-admin' }>;

/** An operator is an administrator, of the operator's organization: `checkOperator` looks at that. */
const RANK: Readonly<Record<ManagementRole, number>> = { member: 0, 'group-admin': 1, 'organization-admin': 2, operator: 2 };

/** Reads the roles of a key's owner as they are at this moment. Throws `invalid_credentials` for an owner who is a member no more. */
export async function readAuthority({ database }: Pick<RouteParts, 'database'>, { key }: Principal): Promise<Authority> {
  const { organizationId, userId } = key;
  if (key.isAdministrator || userId === null) return { kind: 'organization-admin', userId };
  return database.asOrganization(organizationId).transact(async (tx) => {
    const where = { organizationId_userId: { organizationId, userId } };
    const membership = await tx.orgMember.findUnique({ where, select: { status: true } });
    if (membership?.status !== 'active') throw invalidCredentials();
    return describeAuthority(userId, await readGroupRoles(tx, { organizationId, userId }));
  });
}

type GroupRole = { readonly groupId: string; readonly role: string };

export async function readGroupRoles(
  tx: Prisma.TransactionClient,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): Promise<GroupRole[]> {
  return tx.groupMember.findMany({
    where: { userId, isActive: true, group: { organizationId } },
    select: { groupId: true, role: true },
    orderBy: { createdAt: 'asc' },
  });
}

function describeAuthority(userId: string, roles: readonly GroupRole[]): Authority {
  const adminOf = roles.filter(({ role }) => role === 'admin').map(({ groupId }) => groupId);
  return { kind: adminOf.length === 0 ? 'member' : 'group-admin', userId, adminOf, memberOf: roles.map(({ groupId }) => groupId) };
}

/** Throws `permission_denied` unless the caller's role is one that the endpoint is for. */
export function checkRole(authority: Authority, who: ManagementRole): void {
  if (RANK[authority.kind] >= RANK[who]) return;
  const whose = who === 'group-admin' ? 'Administrators of groups and of the organization' : 'Administrators of the organization';
  throw forbidden(`${whose} may do this; the member who owns this API key is neither. Ask one of them.`);
}

/** Throws `permission_denied` unless the organization is the operator's own. */
export async function checkOperator({ database }: Pick<RouteParts, 'database'>, organizationId: string): Promise<void> {
  const where = { id: organizationId };
  const found = await database
    .asOrganization(organizationId)
    .transact((tx) => tx.organization.findUnique({ where, select: { isOperator: true } }));
  if (found?.isOperator === true) return;
  throw forbidden('This is for administrators of the operator’s own organization, and this organization is not it.');
}

export function forbidden(message: string): GatewayError {
  return new GatewayError('permission_denied', message);
}
