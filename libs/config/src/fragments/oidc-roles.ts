import { z } from 'zod';
import { orWords } from '../values';

const role = z.enum(['admin', 'member']);
const group = z.union(
  [
    z
      .string()
      .min(1)
      .transform((name) => ({ name, role: 'member' as z.infer<typeof role> })),
    z.strictObject({ name: z.string().min(1), role: role.default('member') }),
  ],
  orWords('must be the name of a group, or {"name", "role"} with the role admin or member'),
);
const rule = z.union(
  [
    role.transform((own) => ({ role: own, groups: [] as z.output<typeof group>[] })),
    z.strictObject({ role, groups: z.array(group).default([]) }),
  ],
  orWords('must be admin, member, or {"role", "groups"} with one of them as its role and a list of groups'),
);

/** A group of the organization, by name or id, and the role in it. */
export type GroupGrant = { readonly name: string; readonly role: 'admin' | 'member' };

export type DecidedRole = { readonly role: 'admin' | 'member'; readonly groups: readonly GroupGrant[] };

/** What each group at the provider makes of its people here. */
export type OidcRoles = ReadonlyMap<string, DecidedRole>;

/** The setting: JSON from a group at the provider to a role, or to `{"role", "groups"}` with groups of the organization by name or id, or `{"name", "role"}`. */
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
