import type { KeyRing } from './create-key-ring';
import type { DataKeyStore, WrappedDataKey } from './data-key-store';
import { closeBox, openBox, packBox, unpackBox } from './authenticated-box';
import { openSecret, sealSecret, type SealedSecret, type SecretPlace } from './seal-secret';

type VaultParts = {
  readonly keyRing: KeyRing;
  readonly store: DataKeyStore;
  /** How long an unwrapped data key stays in memory; 5 minutes by default. */
  readonly cachedMs?: number;
};

/** Seals many things of one organization, each under a name that it opens by. */
export type BytesSealer = { readonly dataKeyId: string; seal(bytes: Uint8Array, name: string): Buffer };

type SealedBytes = { readonly organizationId: string; readonly name: string; readonly dataKeyId: string; readonly sealed: Uint8Array };

/** Seals and opens an organization's secrets. Plaintext is never kept; unwrapped data keys are, for a while. */
export type Vault = {
  seal(plaintext: string, place: SecretPlace): Promise<SealedSecret>;
  /**
   * Rejects when the secret is not that of its place, when it was changed, or when its data key is unknown; with
   * `dependency_down` when its key-encryption key is not among the settings.
   */
  open(sealed: Omit<SealedSecret, 'fingerprint'>, place: SecretPlace): Promise<string>;
  /** For what is no secret of a provider's and may be large: its data key is looked up once for all that is sealed. */
  openSealer(organizationId: string): Promise<BytesSealer>;
  /** Rejects like `open`. */
  openBytes(sealed: SealedBytes): Promise<Buffer>;
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

  const activeKey = async (organizationId: string): Promise<{ id: string; key: Buffer }> => {
    const dataKey = await store.ensureActive(organizationId, () => keyRing.createDataKey(organizationId));
    return { id: dataKey.id, key: unwrap(dataKey) };
  };

  return {
    seal: async (plaintext, place) => sealSecret(plaintext, place, await activeKey(place.organizationId)),
    open: async (sealed, place) => openSecret(sealed, place, await findKey(place.organizationId, sealed.dataKeyId)),
    openSealer: async (organizationId) => {
      const { id, key } = await activeKey(organizationId);
      return { dataKeyId: id, seal: (bytes, name) => packBox(closeBox(bytes, key, contextOf(organizationId, name))) };
    },
    openBytes: async ({ organizationId, name, dataKeyId, sealed }) =>
      openBox(unpackBox(sealed), await findKey(organizationId, dataKeyId), contextOf(organizationId, name)),
  };
}

/** Never that of a secret: those are bound to a row and a version. */
function contextOf(organizationId: string, name: string): string {
  return `bytes|${organizationId}|${name}`;
}
