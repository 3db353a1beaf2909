import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: what the box holds, and the two values it is opened with. */
export type Box = { readonly nonce: Buffer; readonly ciphertext: Buffer; readonly tag: Buffer };

/** Encrypts under a 32-byte key. `context` is not part of the box, but opening needs the very same. */
export function closeBox(plaintext: Uint8Array, key: Uint8Array, context: string): Box {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return { nonce, ciphertext, tag: cipher.getAuthTag() };
}

/** Throws unless key, context and every byte are those of the closing. */
export function openBox(box: Box, key: Uint8Array, context: string): Buffer {
  const decipher = createDecipheriv(CIPHER, key, box.nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(box.tag);
  return Buffer.concat([decipher.update(box.ciphertext), decipher.final()]);
}

/** A box in one piece: nonce, tag, ciphertext. */
export function packBox({ nonce, tag, ciphertext }: Box): Buffer {
  return Buffer.concat([nonce, tag, ciphertext]);
}

export function unpackBox(bytes: Uint8Array): Box {
  const all = Buffer.from(bytes);
  const body = NONCE_BYTES + TAG_BYTES;
  return { nonce: all.subarray(0, NONCE_BYTES), tag: all.subarray(NONCE_BYTES, body), ciphertext: all.subarray(body) };
}
