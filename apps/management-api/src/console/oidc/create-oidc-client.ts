import type * as Library from 'openid-client';
import type { ClientAuth, Configuration } from 'openid-client';
import { fetchFromIssuer } from './fetch-from-issuer';
import { lacksClaims, readPerson, type OidcPerson } from './read-person';
import type { OidcSettings } from './read-oidc-settings';
import { SignInRefusal } from './sign-in-refusal';
import { toSignInRefusal } from './to-sign-in-refusal';

/** What a sign-in under way is known by, here and at the provider. */
export type OidcFlow = { readonly state: string; readonly nonce: string; readonly verifier: string; readonly redirectUri: string };

/** The console at its provider of OpenID Connect. Everything throws SignInRefusal. */
export type OidcClient = {
  /** Where the browser goes to sign in, and what must come back from there. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly flow: OidcFlow }>;
  /** Who has signed in, by what the provider has sent the browser back with. */
  finish(flow: OidcFlow, search: string): Promise<OidcPerson>;
};

/** What the provider says of itself is read anew this often; its keys are read anew as soon as one is unknown. */
const FRESH_MS = 3_600_000;
export const CLOCK_TOLERANCE_SECONDS = 30;

export function createOidcClient(settings: OidcSettings, now: () => number): OidcClient {
  const discover = createDiscovery(settings, now);
  return {
    begin: async (redirectUri) => {
      const { library, configuration } = await discover();
      const flow = {
        ...{ state: library.randomState(), nonce: library.randomNonce(), verifier: library.randomPKCECodeVerifier() },
        redirectUri,
      };
      const url = library.buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: redirectUri, scope: settings.scopes, state: flow.state, nonce: flow.nonce },
        ...{ code_challenge: await library.calculatePKCECodeChallenge(flow.verifier), code_challenge_method: 'S256' },
      });
      return { url: url.href, flow };
    },
    finish: async ({ state, nonce, verifier, redirectUri }, search) => {
      if (new URLSearchParams(search).get('state') !== state)
        throw new SignInRefusal('expired', 'the state is not that of the sign-in that this browser has begun');
      const { library, configuration } = await discover();
      try {
        const url = Object.assign(new URL(redirectUri), { search });
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
        const tokens = await library.authorizationCodeGrant(configuration, url, checks);
        const claims = tokens.claims();
        if (claims === undefined) throw new SignInRefusal('settings', 'the provider sent no ID token');
        const asks = lacksClaims(claims, settings) && configuration.serverMetadata().userinfo_endpoint !== undefined;
        const info = asks ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
        return readPerson(claims, info, settings);
      } catch (error) {
        throw toSignInRefusal(error);
      }
    },
  };
}

export type Discovered = { readonly library: typeof Library; readonly configuration: Configuration };

/** Asks the issuer once for all who sign in at the same time, and again after an hour or a failure. */
export function createDiscovery(settings: OidcSettings, now: () => number): () => Promise<Discovered> {
  let running: Promise<Discovered> | undefined;
  let startedAtMs = 0;
  return async () => {
    if (running === undefined || now() - startedAtMs > FRESH_MS) {
      startedAtMs = now();
      running = discover(settings);
    }
    const asked = running;
    try {
      return await asked;
    } catch (error) {
      if (running === asked) running = undefined;
      throw toSignInRefusal(error);
    }
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Discovered> {
  // Published as an ES module, and of use only where there is a provider.
  const library = await import('openid-client');
  const configuration = await library.discovery(
    new URL(issuer),
    clientId,
    { [library.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    clientSecret === undefined ? library.None() : proveBySecret(library, clientSecret),
    {
      [library.customFetch]: (url, options) => fetchFromIssuer(url, options),
      // Without this the signature of a token is taken for granted that came from the provider itself.
      execute: [library.enableNonRepudiationChecks, ...(issuer.startsWith('http://') ? [library.allowInsecureRequests] : [])],
    },
  );
  return { library, configuration };
}

/** In the header, as the standard has it for clients that say nothing else; in the body where the provider reads it there alone. */
function proveBySecret({ ClientSecretPost, ClientSecretBasic }: typeof Library, secret: string): ClientAuth {
  const [post, basic] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (methods.includes('client_secret_basic') || !methods.includes('client_secret_post') ? basic : post)(server, ...rest);
  };
}
