import type { KeyRing } from './create-key-ring';
import type { DataKeyStore, WrappedDataKey } from './data-key-store';
import { openSecret, sealSecret, type SealedSecret, type SecretPlace } from './seal-secret';

type VaultParts = {
  readonly keyRing: KeyRing;
  readonly store: DataKeyStore;
  /** How long an unwrapped data key stays in memory; 5 minutes by default. */
  readonly cachedMs?: number;
};

/** Seals and opens an organization's secrets. Plaintext is never kept; unwrapped data keys are, for a while. */
export type Vault = {
  seal(plaintext: string, place: SecretPlace): Promise<SealedSecret>;
  /**
   * Rejects when the secret is not that of its place, when it was changed, or when its data key is unknown; with
   * `dependency_down` when its key-encryption key is not among the settings.
   */
  open(sealed: Omit<SealedSecret, 'fingerprint'>, place: SecretPlace): Promise<string>;
};

const CACHED_MS = 5 * 60_000;

export function createVault({ keyRing, store, cachedMs = CACHED_MS }: VaultParts): Vault {
  const cached = new Map<string, Buffer>();

  const unwrap = (dataKey: WrappedDataKey): Buffer => {
    const name = `${dataKey.organizationId}|${dataKey.id}`;
    const known = cached.get(name);
    if (known !== undefined) return known;
    const key = keyRing.unwrap(dataKey);
    cached.set(name, key);
    setTimeout(() => cached.delete(name), cachedMs).unref();
    return key;
  };

  const findKey = async (organizationId: string, id: string): Promise<Buffer> => {
    const known = cached.get(`${organizationId}|${id}`);
    if (known !== undefined) return known;
    const dataKey = await store.find(organizationId, id);
    if (dataKey === undefined) throw new Error(`organization ${organizationId} has no data key ${id}`);
    return unwrap(dataKey);
  };

  return {
    seal: async (plaintext, place) => {
      const dataKey = await store.ensureActive(place.organizationId, () => keyRing.createDataKey(place.organizationId));
      return sealSecret(plaintext, place, { id: dataKey.id, key: unwrap(dataKey) });
    },
    open: async (sealed, place) => openSecret(sealed, place, await findKey(place.organizationId, sealed.dataKeyId)),
  };
}
