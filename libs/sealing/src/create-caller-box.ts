import { hkdfSync } from 'node:crypto';
import { closeBox, openBox, packBox, unpackBox } from './authenticated-box';

type CallerBoxParts = {
  /** The installation's own secret. */
  readonly secret: string;
  readonly organizationId: string;
  /** What the caller has to send again, and what it is for: without it no one makes the key, with the database neither. */
  readonly phrase: string;
  /** Where the box is kept: anywhere else it does not open. */
  readonly context: string;
};

/** Seals bytes for storage so that only a caller that sends the same phrase again can have them opened. */
export type CallerBox = {
  seal(bytes: Uint8Array): Buffer;
  /** Throws for anything that was not sealed for the same place under the same phrase. */
  open(sealed: Uint8Array): Buffer;
};

export function createCallerBox({ secret, organizationId, phrase, context }: CallerBoxParts): CallerBox {
  const key = Buffer.from(hkdfSync('sha256', secret, organizationId, phrase, 32));
  return {
    seal: (bytes) => packBox(closeBox(bytes, key, context)),
    open: (sealed) => openBox(unpackBox(sealed), key, context),
  };
}
