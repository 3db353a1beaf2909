import type * as Jose from 'jose';
import { CLOCK_TOLERANCE_SECONDS } from '../console/oidc/create-oidc-client';
import { fetchFromIssuer } from '../console/oidc/fetch-from-issuer';

/** Signatures by keys that the provider publishes: none that anybody could make with what is published, and none that is empty. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

/** Headers of access tokens; of others some say what they are. */
const TYPES = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']);
/** Claims that tokens for other ends have, of which some speak of the same person. */
const OTHER_ENDS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events', 'cnf'];
/** What Keycloak calls its tokens in the claims. */
const OTHER_KINDS = new Set(['ID', 'Refresh', 'Offline', 'Logout']);

const KEYS_ARE_FRESH_MS = 600_000;
/** Tokens with keys that are not known make the provider be asked no more often. */
const PAUSE_MS = 30_000;

export type VerifiedClaims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

export type AccessTokenVerifier = {
  /** The claims of a token that is what it should be; undefined for any other. Throws when the keys cannot be fetched. */
  verify(token: string, at: { readonly jwksUri: string; readonly issuer: string }): Promise<VerifiedClaims | undefined>;
};

type VerifierOptions = { readonly audiences: readonly string[]; readonly now: () => number; readonly pauseMs?: number };

export function createAccessTokenVerifier({ audiences, now, pauseMs = PAUSE_MS }: VerifierOptions): AccessTokenVerifier {
  let keys: { readonly uri: string; readonly set: ReturnType<typeof Jose.createRemoteJWKSet> } | undefined;
  return {
    verify: async (token, { jwksUri, issuer }) => {
      // Published as an ES module, and of use only where there is a provider.
      const jose = await import('jose');
      if (keys?.uri !== jwksUri) keys = { uri: jwksUri, set: openKeys(jose, jwksUri, pauseMs) };
      try {
        const { payload, protectedHeader } = await jose.jwtVerify(token, keys.set, {
          ...{ issuer, audience: [...audiences], algorithms: ALGORITHMS, clockTolerance: CLOCK_TOLERANCE_SECONDS },
          ...{ currentDate: new Date(now()), requiredClaims: ['exp', 'sub', 'iss', 'aud'] },
        });
        return isAccessToken(payload, protectedHeader.typ) ? (payload as VerifiedClaims) : undefined;
      } catch (error) {
        if (isAboutToken(error)) return undefined;
        throw error;
      }
    },
  };
}

function openKeys(jose: typeof Jose, uri: string, pauseMs: number): ReturnType<typeof Jose.createRemoteJWKSet> {
  return jose.createRemoteJWKSet(new URL(uri), {
    ...{ cacheMaxAge: KEYS_ARE_FRESH_MS, cooldownDuration: pauseMs },
    [jose.customFetch]: (url: string, { headers, method }: { headers: Headers; method: string }) =>
      fetchFromIssuer(url, { headers, method }),
  });
}

function isAccessToken(claims: Readonly<Record<string, unknown>>, type: string | undefined): boolean {
  const isOther = OTHER_ENDS.some((name) => claims[name] !== undefined) || OTHER_KINDS.has(String(claims['typ']));
  return TYPES.has(type?.toLowerCase()) && !isOther && typeof claims['sub'] === 'string' && claims['sub'] !== '';
}

/** Codes of the library for what is wrong with a token, not with the provider's keys. */
const ABOUT_TOKEN = new Set([
  'ERR_JWT_CLAIM_VALIDATION_FAILED',
  'ERR_JWT_EXPIRED',
  'ERR_JWT_INVALID',
  'ERR_JWS_INVALID',
  'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  'ERR_JOSE_ALG_NOT_ALLOWED',
  'ERR_JOSE_NOT_SUPPORTED',
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWKS_MULTIPLE_MATCHING_KEYS',
]);

function isAboutToken(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && ABOUT_TOKEN.has(String(error.code));
}
