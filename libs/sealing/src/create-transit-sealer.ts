import { hkdfSync } from 'node:crypto';
import { closeBox, openBox, packBox, unpackBox } from './authenticated-box';

/** Seals secrets for the way between two processes that share a secret. Nothing sealed like this is stored. */
export type TransitSealer = {
  /** `context` is what the secret is for; it has to be given again to open it. */
  seal(plaintext: string, context: string): string;
  /** Throws unless it was sealed under the same secret, for the same context. */
  open(sealed: string, context: string): string;
};

/** The key is made from the secret for this purpose alone, so a secret that signs may seal as well. */
export function createTransitSealer(secret: string): TransitSealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'weir traveller seal', 32));
  return {
    seal: (plaintext, context) => packBox(closeBox(Buffer.from(plaintext), key, context)).toString('base64url'),
    open: (sealed, context) => openBox(unpackBox(Buffer.from(sealed, 'base64url')), key, context).toString('utf8'),
  };
}
