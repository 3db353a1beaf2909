import { z } from 'zod';
import { address, flag, httpUrl } from '../values';
import { oidcRoles } from './oidc-roles';

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/;

/** A provider of OpenID Connect at which people sign in to the console. Without an issuer there is none. */
export const oidcEnv = z.object({
  /** As the provider writes it, with or without a slash at its end: tokens must say the same. */
  CONSOLE_OIDC_ISSUER: address(/^https?$/, 'https://login.example.com/realm')
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
