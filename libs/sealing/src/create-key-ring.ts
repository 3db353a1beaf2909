import { GatewayError } from '@weir/errors';
import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { closeBox, openBox, packBox, unpackBox } from './authenticated-box';
import type { WrappedDataKey } from './data-key-store';

const KEY_BYTES = 32;
const ID_BYTES = 8;
const SECRET_LENGTH_MIN = 32;

/** The key-encryption keys of an installation. They come from its settings and are never in the database. */
export type KeyRing = {
  /** Which of them wraps from now on. */
  readonly activeId: string;
  /** Makes a data key for an organization. */
  createDataKey(organizationId: string): WrappedDataKey;
  /** Throws when its key-encryption key is not on the ring, or when it is not what was wrapped. */
  unwrap(dataKey: WrappedDataKey): Buffer;
  /** The same data key wrapped by the active key-encryption key; the one given when it is that already. */
  rewrap(dataKey: WrappedDataKey): WrappedDataKey;
};

/**
 * Reads the setting: one secret text of 32 or more characters, or several with commas between them. The first seals,
 * all of them open, so a new one is put in front, everything is wrapped anew, and the old one is taken away. Ids come
 * from the secrets themselves. Throws for a secret that is too short.
 */
export function createKeyRing(setting: string): KeyRing {
  const secrets = setting.split(',').map((secret) => secret.trim());
  if (secrets.some(({ length }) => length < SECRET_LENGTH_MIN)) {
    throw new Error(`every key-encryption key must have at least ${SECRET_LENGTH_MIN} characters`);
  }
  const keys = new Map(secrets.map((secret) => [derive(secret, 'id', ID_BYTES).toString('hex'), derive(secret, 'key', KEY_BYTES)]));
  const activeId = keys.keys().next().value as string;

  const wrap = (key: Buffer, { id, organizationId }: Pick<WrappedDataKey, 'id' | 'organizationId'>): WrappedDataKey => {
    const box = closeBox(key, find(activeId), contextOf(organizationId, id));
    return { id, organizationId, kekId: activeId, wrapped: packBox(box) };
  };
  const find = (kekId: string): Buffer => {
    const key = keys.get(kekId);
    if (key === undefined) {
      const cause = new Error(`no key-encryption key with the id ${kekId}: add its secret to SEALING_KEY`);
      throw new GatewayError('dependency_down', 'Stored credentials cannot be opened at the moment. Try again shortly.', { cause });
    }
    return key;
  };
  const unwrap = ({ id, organizationId, kekId, wrapped }: WrappedDataKey): Buffer =>
    openBox(unpackBox(wrapped), find(kekId), contextOf(organizationId, id));

  return {
    activeId,
    createDataKey: (organizationId) => wrap(randomBytes(KEY_BYTES), { id: randomUUID(), organizationId }),
    unwrap,
    rewrap: (dataKey) => (dataKey.kekId === activeId ? dataKey : wrap(unwrap(dataKey), dataKey)),
  };
}

function derive(secret: string, what: 'id' | 'key', bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `weir key-encryption key: ${what}`, bytes));
}

function contextOf(organizationId: string, id: string): string {
  return `data key|${organizationId}|${id}`;
}
