import { z } from 'zod';

const role = z.enum(['admin', 'member']);
const rule = z.union([
  role.transform((own) => ({ role: own, groups: [] as string[] })),
  z.strictObject({ role, groups: z.array(z.string().min(1)).default([]) }),
]);

/** What each group at the provider makes of its people here. */
export type OidcRoles = ReadonlyMap<string, { readonly role: 'admin' | 'member'; readonly groups: readonly string[] }>;

/** The setting: JSON from a group at the provider to a role, or to `{"role", "groups"}` with groups of the organization by name or id. */
export const oidcRoles = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue('must be JSON, as {"platform-team":"admin","everyone":{"role":"member","groups":["Research"]}}');
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string().min(1), rule))
  .transform((rules) => new Map(Object.entries(rules)));

export type DecidedRole = { readonly role: 'admin' | 'member'; readonly groups: readonly string[] };

/** What all groups of a person make of them: the highest role, and every group; undefined when none of theirs is known. */
export function decideRole(roles: OidcRoles, groups: readonly string[]): DecidedRole | undefined {
  const found = groups.flatMap((group) => roles.get(group) ?? []);
  if (found.length === 0) return undefined;
  return {
    role: found.some((one) => one.role === 'admin') ? 'admin' : 'member',
    groups: [...new Set(found.flatMap((one) => one.groups))],
  };
}
