import type { Permission } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { Principal } from './principal';

const RANK = { none: 0, read: 1, write: 2 } as const;

/** Throws `permission_denied` unless the key holds what the endpoint asks for. */
export function checkPermission(principal: Principal, permission: Permission): void {
  if (permission.kind === 'public' || permission.kind === 'key') return;
  const held = principal.key.permissions[permission.kind];
  if (RANK[held] >= RANK[permission.level]) return;
  throw new GatewayError(
    'permission_denied',
    `This API key lacks the permission "${permission.kind}: ${permission.level}" (it has "${held}").`,
  );
}
