import { flag, httpUrl } from '@weir/config';
import { z } from 'zod';
import { oidcRoles, type OidcRoles } from './read-oidc-roles';

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/;

/** Issuers that speak for tenants of all the world. */
const ANY_TENANT = /\/(common|organizations|consumers)(\/|$)/;

/** A provider of OpenID Connect at which people sign in to the console. Without an issuer there is none. */
export const oidcEnv = z.object({
  /** As the provider writes it, with or without a slash at its end: tokens must say the same. */
  CONSOLE_OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.startsWith('https://') || LOOPBACK.test(url), 'must be an https address: who serves it decides who signs in')
    .optional(),
  CONSOLE_OIDC_CLIENT_ID: z.string().min(1).optional(),
  /** Absent: a public client. */
  CONSOLE_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  /** On the button: "Sign in with …". */
  CONSOLE_OIDC_NAME: z.string().min(1).max(60).default('single sign-on'),
  CONSOLE_OIDC_SCOPES: z
    .string()
    .refine((text) => text.split(/\s+/).includes('openid'), 'must have the scope openid')
    .default('openid email profile'),
  CONSOLE_OIDC_GROUPS_CLAIM: z.string().min(1).max(200).default('groups'),
  CONSOLE_OIDC_ROLES: oidcRoles.optional(),
  /** The organization people sign in to; the one of the first start unless given. */
  CONSOLE_OIDC_ORGANIZATION: z.guid().optional(),
  /** For providers that state no `email_verified` because all their addresses are the organization's own. */
  CONSOLE_OIDC_TRUST_EMAIL: flag.default(false),
  /** Who access tokens of the provider must be for, with commas between them, so that `POST /v1/session` takes them; absent: it takes none. */
  SESSION_OIDC_AUDIENCE: z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .refine((audiences) => audiences.every((one) => one !== ''), 'must name audiences, with commas between them')
    .optional(),
  /** Who is asked about tokens that are no JWT. */
  SESSION_OIDC_OPAQUE_TOKENS: z.enum(['introspection', 'userinfo', 'off']).default('introspection'),
  /** Where people open the console; what a browser has called unless given. */
  CONSOLE_URL: httpUrl.optional(),
});

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
