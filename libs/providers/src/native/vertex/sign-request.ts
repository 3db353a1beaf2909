import { GatewayError } from '@weir/errors';
import { readLimited, type UpstreamTransport } from '@weir/upstream-http';
import type { JsonRecord } from '../../wire/json-value';

/** Returns a token at once while one is fresh. */
type TokenSource = () => string | Promise<string>;
type FreshToken = { readonly token: string; readonly expiresAtMs: number };

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const TOKEN_TIMEOUT_MS = 10_000;
const TOKEN_BYTES_MAX = 64 * 1024;
/** A token is replaced this long before it expires: by then calls still go out with the old one. */
const RENEWAL_MS = 4 * 60_000;
/** A token this close to its end is not used any more, because the call has to arrive in time. */
const MARGIN_MS = 30_000;
const LIFETIME_UNKNOWN_MS = 50 * 60_000;

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** Keeps one token for all calls and fetches one at a time; in its last minutes the next is fetched beside the calls. */
export function createTokenSource(fetchToken: () => Promise<FreshToken>, now: () => number = Date.now): TokenSource {
  let current: FreshToken | null = null;
  let pending: Promise<string> | null = null;

  const renew = (): Promise<string> => {
    pending ??= fetchToken()
      .then((fresh) => {
        current = fresh;
        return fresh.token;
      })
      .finally(() => {
        pending = null;
      });
    return pending;
  };

  return () => {
    const leftMs = current === null ? 0 : current.expiresAtMs - now();
    if (current !== null && leftMs > RENEWAL_MS) return current.token;
    const renewal = renew();
    if (current === null || leftMs <= MARGIN_MS) return renewal;
    renewal.catch(() => undefined); // the next call tries again while this token still holds
    return current.token;
  };
}

/** Fetches tokens for the credentials in a key file, of whichever kind. The library is loaded when it is first needed. */
export function createFetchToken(credentials: JsonRecord, transport: UpstreamTransport): () => Promise<FreshToken> {
  const fetchImplementation = createFetch(transport);
  return async () => {
    try {
      const { GoogleAuth } = await import('google-auth-library');
      const auth = new GoogleAuth({ credentials, scopes: SCOPE, clientOptions: { transporterOptions: { fetchImplementation } } });
      const client = await auth.getClient();
      const { token } = await client.getAccessToken();
      if (typeof token !== 'string' || token === '') throw new Error('the token service answered without a token');
      return { token, expiresAtMs: client.credentials.expiry_date ?? Date.now() + LIFETIME_UNKNOWN_MS };
    } catch (error) {
      throw explain(error);
    }
  };
}

/** The library's requests go out by the one way there is. */
function createFetch(transport: UpstreamTransport): typeof fetch {
  return async (input, init) => {
    const { body } = init ?? {};
    const isForm = body instanceof URLSearchParams;
    const headers = Object.fromEntries(new Headers(init?.headers));
    const response = await transport({
      method: init?.method?.toUpperCase() === 'GET' ? 'GET' : 'POST',
      url: String(input),
      headers: isForm ? { 'content-type': 'application/x-www-form-urlencoded', ...headers } : headers,
      body: typeof body === 'string' || isForm ? String(body) : '',
      signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS),
      headersTimeoutMs: TOKEN_TIMEOUT_MS,
      idleTimeoutMs: TOKEN_TIMEOUT_MS,
    });
    const bytes = await readLimited(response.body, TOKEN_BYTES_MAX);
    return new Response(new Uint8Array(bytes), { status: response.status, headers: { 'content-type': 'application/json' } });
  };
}

function explain(error: unknown): GatewayError {
  const { cause, status } = error as { cause?: unknown; status?: unknown };
  if (cause instanceof GatewayError) return cause;
  if (typeof status === 'number' && status >= 500) {
    return new GatewayError('provider_unreachable', 'The provider’s token service could not be reached. Try again.', { cause: error });
  }
  return new GatewayError('provider_credentials', 'The provider refused the account that was used. Check the key of that account.', {
    cause: error,
  });
}
