import { createHmac } from 'node:crypto';
import { closeBox, openBox, type Box } from './authenticated-box';

/** The row a secret belongs to. Anywhere else, and as any other version, it does not open. */
export type SecretPlace = { readonly organizationId: string; readonly recordId: string; readonly version: number };

export type SealedSecret = Box & {
  readonly dataKeyId: string;
  /** Equal for equal secrets under one data key; reveals nothing else about them. 32 bytes. */
  readonly fingerprint: Buffer;
};

/** Seals a text under an unwrapped data key. */
export function sealSecret(plaintext: string, place: SecretPlace, dataKey: { readonly id: string; readonly key: Buffer }): SealedSecret {
  const box = closeBox(Buffer.from(plaintext), dataKey.key, contextOf(place));
  return { ...box, dataKeyId: dataKey.id, fingerprint: fingerprint(plaintext, dataKey.key) };
}

/** Throws when the secret was sealed for another row or version, or was changed since. */
export function openSecret(sealed: Box, place: SecretPlace, key: Buffer): string {
  return openBox(sealed, key, contextOf(place)).toString();
}

function contextOf({ organizationId, recordId, version }: SecretPlace): string {
  return `${organizationId}|${recordId}|${version}`;
}

function fingerprint(plaintext: string, dataKey: Buffer): Buffer {
  // A key of its own, so that nothing is both an encryption key and a hash key.
  const key = createHmac('sha256', dataKey).update('fingerprint').digest();
  return createHmac('sha256', key).update(plaintext).digest();
}
