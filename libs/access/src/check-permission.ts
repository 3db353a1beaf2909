import type { ManagementRole, Permission } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { Principal } from './ports/principal';

/** Whether the organization is the operator's is for the management interface to look up. */
const FOR_ADMINISTRATORS: ReadonlySet<ManagementRole> = new Set(['operator', 'organization-admin']);

const RANK = { none: 0, read: 1, write: 2 } as const;

/**
 * Throws `permission_denied` unless the key holds what the endpoint asks for, and acts for an administrator where it is for
 * those alone. What else a role allows is the management interface's to check.
 */
export function checkPermission(principal: Principal, permission: Permission): void {
  if (permission.kind === 'public' || permission.kind === 'key') return;
  const held = principal.key.permissions[permission.kind] ?? 'none';
  if (RANK[held] < RANK[permission.level]) {
    throw new GatewayError(
      'permission_denied',
      `This API key lacks the permission "${permission.kind}: ${permission.level}" (it has "${held}").`,
    );
  }
  if (permission.kind === 'manage' && FOR_ADMINISTRATORS.has(permission.who) && !principal.key.isAdministrator) {
    throw new GatewayError(
      'permission_denied',
      'Only administrators of the organization may do this; the member who owns this API key is none. Ask one of them.',
    );
  }
}
