import { GatewayError } from '@weir/errors';
import { isPlausibleApiKey } from './api-key-format';
import type { KeyCache } from './key-cache';
import type { KeyRecord, Principal } from './ports/principal';

type AuthenticatorOptions = {
  readonly cache: KeyCache;
  /** What the cache knows a key by: `createKeyDigests`. */
  readonly digest: (key: string) => Buffer;
  readonly now: () => number;
};

export type Authenticator = {
  /**
   * Returns whose key this is: at once when it is cached. Throws (or rejects with) `missing_credentials`,
   * `invalid_credentials` — one and the same for malformed, unknown, expired and revoked — or `dependency_down`.
   */
  authenticate(credential: string | undefined): Principal | Promise<Principal>;
};

export function createAuthenticator({ cache, digest, now }: AuthenticatorOptions): Authenticator {
  const checkUsable = (record: KeyRecord | undefined): Principal => checkKeyUsable(record, now());

  const load = async (found: Promise<KeyRecord | undefined>): Promise<Principal> => {
    let record: KeyRecord | undefined;
    try {
      record = await found;
    } catch (error) {
      throw new GatewayError('dependency_down', 'The key could not be checked at the moment. Try again shortly.', { cause: error });
    }
    return checkUsable(record);
  };

  return {
    authenticate: (credential) => {
      if (credential === undefined) {
        throw new GatewayError(
          'missing_credentials',
          'No API key was given. Send it as "Authorization: Bearer <key>" or "x-api-key: <key>".',
        );
      }
      if (!isPlausibleApiKey(credential)) throw invalidCredentials();
      const found = cache.find(digest(credential).toString('base64'));
      return found instanceof Promise ? load(found) : checkUsable(found);
    },
  };
}

/** Throws `invalid_credentials` for a key that requests cannot come with now. */
export function checkKeyUsable(record: KeyRecord | undefined, nowMs: number): Principal {
  const isUsable = record?.status === 'active' && (record.expiresAtMs === null || record.expiresAtMs > nowMs);
  if (!isUsable) throw invalidCredentials();
  return { key: record };
}

/** One and the same for a key that is unknown, expired or revoked: no one learns which. */
export function invalidCredentials(): GatewayError {
  return new GatewayError(
    'invalid_credentials',
    'The API key is not valid: it is unknown, expired or revoked. Check it, or ask an administrator for a new one.',
  );
}
