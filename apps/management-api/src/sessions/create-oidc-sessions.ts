import { createDiscovery, CLOCK_TOLERANCE_SECONDS, type Discovered } from '../console/oidc/create-oidc-client';
import type { OidcSettings } from '../console/oidc/read-oidc-settings';
import { lacksClaims, readPerson, type OidcPerson } from '../console/oidc/read-person';
import { readIssuer } from './read-issuer';
import { createAccessTokenVerifier, type VerifiedClaims } from './verify-access-token';

/** Access tokens of a provider of OpenID Connect, which open sessions of the interface. */
export type OidcSessions = {
  readonly settings: OidcSettings;
  /** Whether a token says that the provider of the settings has made it. */
  isOwn(token: string): boolean;
  /** Whose token it is; undefined for one that opens nothing. Throws when the provider cannot be asked. */
  readPerson(token: string): Promise<OidcPerson | undefined>;
};

type Claims = Readonly<Record<string, unknown>>;
type Asked = Discovered & { readonly token: string };
type Rules = NonNullable<OidcSettings['sessions']>;

/** Undefined where the settings have no one open sessions. */
export function createOidcSessions(settings: OidcSettings | undefined, now: () => number): OidcSessions | undefined {
  const rules = settings?.sessions;
  if (settings === undefined || rules === undefined) return undefined;
  const discover = createDiscovery(settings, now);
  const verifier = createAccessTokenVerifier({ audiences: rules.audiences, now });
  const check = async (asked: Asked): Promise<VerifiedClaims | undefined> => {
    const { configuration, token } = asked;
    if (readIssuer(token) === undefined) return checkOpaque(asked, { rules, settings, now });
    const { jwks_uri: jwksUri, issuer } = configuration.serverMetadata();
    if (jwksUri === undefined) throw new Error('the identity provider publishes no keys');
    return verifier.verify(token, { jwksUri, issuer });
  };
  return {
    settings,
    isOwn: (token) => readIssuer(token) === settings.issuer,
    readPerson: async (token) => {
      const asked = { ...(await discover()), token };
      const claims = await check(asked);
      if (claims === undefined) return undefined;
      const info = lacksClaims(claims, settings) ? await readUserInfo(asked, claims.sub) : {};
      return info === undefined ? undefined : readPerson(claims, info, settings);
    },
  };
}

type OpaqueRules = { readonly rules: Rules; readonly settings: OidcSettings; readonly now: () => number };

async function checkOpaque(asked: Asked, { rules, settings, now }: OpaqueRules): Promise<VerifiedClaims | undefined> {
  const { configuration, library, token } = asked;
  if (rules.opaqueTokens === 'off') return undefined;
  const { issuer, introspection_endpoint: endpoint } = configuration.serverMetadata();
  if (rules.opaqueTokens === 'userinfo') {
    const info = await readUserInfo(asked);
    return typeof info?.['sub'] === 'string' ? { ...info, iss: issuer, sub: info['sub'] } : undefined;
  }
  if (endpoint === undefined || settings.clientSecret === undefined) return undefined;
  const found = (await library.tokenIntrospection(configuration, token, { token_type_hint: 'access_token' })) as Claims;
  return isGood(found, { issuer, audiences: rules.audiences, nowMs: now() })
    ? { ...found, iss: issuer, sub: String(found['sub']) }
    : undefined;
}

type Expected = { readonly issuer: string; readonly audiences: readonly string[]; readonly nowMs: number };

/** What the provider says of a token it has made: that it is an access token of a person, for us, and not over. */
export function isGood(found: Claims, { issuer, audiences, nowMs }: Expected): boolean {
  const { active, iss, exp, sub, cnf, token_type: type } = found;
  if (active !== true || (iss !== undefined && iss !== issuer)) return false;
  if (typeof sub !== 'string' || sub === '' || cnf !== undefined) return false;
  // Of tokens that fetch others it says no such type, or another.
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') return false;
  const nowSeconds = nowMs / 1000;
  if (typeof exp !== 'number' || exp + CLOCK_TOLERANCE_SECONDS <= nowSeconds) return false;
  const named = [found['aud'] ?? found['client_id']].flat();
  return named.some((one) => typeof one === 'string' && audiences.includes(one));
}

/** What the provider says of the person; nothing where it has no such place. Undefined when it takes the token no more. */
async function readUserInfo({ library, configuration, token }: Asked, subject?: string): Promise<Claims | undefined> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return subject === undefined ? undefined : {};
  try {
    return await library.fetchUserInfo(configuration, token, subject ?? library.skipSubjectCheck);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  const { code, status, cause } = error as { code?: unknown; status?: unknown; cause?: unknown };
  const answered = cause instanceof Response ? cause.status : status;
  return code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' || answered === 401 || answered === 403;
}
