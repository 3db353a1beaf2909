import type { DecidedRole, OidcRoles } from '@weir/config';

/** What all groups of a person make of them: the highest role, here and in each group; undefined when none of theirs is known. */
export function decideRole(roles: OidcRoles, groups: readonly string[]): DecidedRole | undefined {
  const found = groups.flatMap((one) => roles.get(one) ?? []);
  if (found.length === 0) return undefined;
  const granted = new Map<string, 'admin' | 'member'>();
  for (const { name, role: own } of found.flatMap((one) => one.groups)) granted.set(name, granted.get(name) === 'admin' ? 'admin' : own);
  return {
    role: found.some((one) => one.role === 'admin') ? 'admin' : 'member',
    groups: [...granted].map(([name, own]) => ({ name, role: own })),
  };
}
