import { createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { AlertKeys } from '../ports/secret-alerts';

type AlertKeysParts = {
  /** Returns `{"public_keys": [{"key_identifier", "key", "is_current"}, …]}`; `key` is PEM. */
  readonly fetchKeys: () => Promise<string>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

const FRESH_MS = 3_600_000;
/** Keys that could not be fetched again are believed no longer than this: one of them may have been withdrawn. */
const STALE_MS = 24 * 3_600_000;
/** Unknown identifiers make us fetch the keys no more often than this. */
const PAUSE_MS = 60_000;
const KEYS_MAX = 100;

const keyList = z.object({
  public_keys: z.array(z.object({ key_identifier: z.string().min(1).max(200), key: z.string().max(4_000) })).max(KEYS_MAX),
});

/** Keeps the keys for an hour. An identifier that is not among them has them fetched again, though never twice in a minute. */
export function createAlertKeys({ fetchKeys, now }: AlertKeysParts): AlertKeys {
  let known: { readonly keys: ReadonlyMap<string, KeyObject>; readonly atMs: number } | undefined;
  let triedAtMs = -Infinity;
  let running: Promise<void> | undefined;
  let failure: unknown;

  const refresh = async (): Promise<void> => {
    triedAtMs = now();
    try {
      known = { keys: readKeys(await fetchKeys()), atMs: now() };
      failure = undefined;
    } catch (error) {
      failure = error;
    } finally {
      running = undefined;
    }
  };
  const isWanted = (identifier: string): boolean => known === undefined || now() - known.atMs > FRESH_MS || !known.keys.has(identifier);

  return {
    find: async (identifier) => {
      if (isWanted(identifier) && running === undefined && now() - triedAtMs >= PAUSE_MS) running = refresh();
      if (isWanted(identifier)) await running;
      if (known === undefined || now() - known.atMs > STALE_MS)
        throw new Error('the keys of secret alerts cannot be had', { cause: failure });
      return known.keys.get(identifier);
    },
  };
}

/** Throws for anything but a list of keys; a key of another kind than ECDSA P-256 is left out. */
function readKeys(text: string): ReadonlyMap<string, KeyObject> {
  const { public_keys: listed } = keyList.parse(JSON.parse(text));
  return new Map(
    listed.flatMap(({ key_identifier: identifier, key: pem }) => {
      const key = createPublicKey(pem);
      return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? [[identifier, key] as const] : [];
    }),
  );
}
