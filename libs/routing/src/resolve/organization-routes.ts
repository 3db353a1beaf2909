import type { OrganizationRules } from '@weir/access';
import { aliasDocument, policyDocument, type PolicyDocument } from '@weir/contracts';

/** Names an organization has given, ready to be looked up. */
export type OrganizationRoutes = {
  /** By name, without `policy/`. */
  readonly policies: ReadonlyMap<string, PolicyDocument>;
  /** What each alias stands for. */
  readonly aliases: ReadonlyMap<string, string>;
};

export const NO_ROUTES: OrganizationRoutes = { policies: new Map(), aliases: new Map() };

const read = new WeakMap<OrganizationRules, OrganizationRoutes>();

/** Reads an organization's policies and aliases, once per record of its rules. */
export function readRoutes(rules: OrganizationRules): OrganizationRoutes {
  const known = read.get(rules);
  if (known !== undefined) return known;
  const routes = rules.policies.length + rules.aliases.length === 0 ? NO_ROUTES : parseRoutes(rules);
  read.set(rules, routes);
  return routes;
}

/** A document that cannot be read is left out: requests that name it are refused as for an unknown model. */
function parseRoutes({ policies, aliases }: OrganizationRules): OrganizationRoutes {
  return {
    policies: new Map(
      policies.flatMap(({ name, document }) => {
        const parsed = policyDocument.safeParse(document);
        return parsed.success ? [[name, parsed.data] as const] : [];
      }),
    ),
    aliases: new Map(
      aliases.flatMap(({ name, document }) => {
        const parsed = aliasDocument.safeParse(document);
        return parsed.success ? [[name, parsed.data.model] as const] : [];
      }),
    ),
  };
}
