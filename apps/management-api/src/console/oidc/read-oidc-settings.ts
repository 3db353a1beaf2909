import type { oidcEnv, OidcRoles } from '@weir/config';
import type { z } from 'zod';

/** Issuers that speak for tenants of all the world. */
const ANY_TENANT = /\/(common|organizations|consumers)(\/|$)/;

export type OidcSessionRules = {
  /** A token must be for one of these. */
  readonly audiences: readonly string[];
  readonly opaqueTokens: 'introspection' | 'userinfo' | 'off';
};

export type OidcSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly name: string;
  readonly scopes: string;
  readonly groupsClaim: string;
  /** Absent: the provider decides about no role, and only members sign in. */
  readonly roles: OidcRoles | undefined;
  readonly organizationId: string | undefined;
  readonly trustsEmail: boolean;
  /** Which access tokens open sessions of the interface; absent: none. */
  readonly sessions?: OidcSessionRules | undefined;
  /** Base address of the console, as `https://weir.example`; undefined: as the browser has called. */
  readonly consoleUrl: string | undefined;
};

/** The settings as a whole; undefined without a provider. Throws when they name half of one. */
export function readOidcSettings(env: z.infer<typeof oidcEnv>): OidcSettings | undefined {
  const { CONSOLE_OIDC_ISSUER: issuer, CONSOLE_OIDC_CLIENT_ID: clientId } = env;
  if (issuer === undefined) {
    if (clientId !== undefined) throw new Error('CONSOLE_OIDC_CLIENT_ID needs CONSOLE_OIDC_ISSUER beside it.');
    if (env.SESSION_OIDC_AUDIENCE !== undefined) throw new Error('SESSION_OIDC_AUDIENCE needs CONSOLE_OIDC_ISSUER beside it.');
    return undefined;
  }
  if (env.CONSOLE_OIDC_TRUST_EMAIL && ANY_TENANT.test(issuer))
    throw new Error('CONSOLE_OIDC_TRUST_EMAIL needs the issuer of one tenant: in others anybody may write any address.');
  if (clientId === undefined) throw new Error('CONSOLE_OIDC_ISSUER needs CONSOLE_OIDC_CLIENT_ID beside it.');
  return {
    ...{ issuer, clientId, clientSecret: env.CONSOLE_OIDC_CLIENT_SECRET, name: env.CONSOLE_OIDC_NAME },
    ...{ scopes: env.CONSOLE_OIDC_SCOPES.trim(), groupsClaim: env.CONSOLE_OIDC_GROUPS_CLAIM, roles: env.CONSOLE_OIDC_ROLES },
    ...{ organizationId: env.CONSOLE_OIDC_ORGANIZATION?.toLowerCase(), trustsEmail: env.CONSOLE_OIDC_TRUST_EMAIL },
    ...{ consoleUrl: env.CONSOLE_URL, sessions: readSessionRules(env) },
  };
}

function readSessionRules(env: z.infer<typeof oidcEnv>): OidcSessionRules | undefined {
  const { SESSION_OIDC_AUDIENCE: audiences, SESSION_OIDC_OPAQUE_TOKENS: opaqueTokens } = env;
  return audiences === undefined ? undefined : { audiences, opaqueTokens };
}
