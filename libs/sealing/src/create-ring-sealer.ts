import { hkdfSync } from 'node:crypto';
import { closeBox, openBox, packBox, unpackBox } from './authenticated-box';

/** Seals texts that are handed out and come back: nothing but this installation opens them. */
export type RingSealer = {
  seal(text: string): string;
  /** Undefined for whatever was not sealed for the same purpose under a secret that is still there. */
  open(sealed: string): string | undefined;
};

/**
 * Reads the setting of a key ring: secrets with commas between them, of which the first seals and all open. The keys are made
 * for `purpose` alone, so what is sealed here opens nothing elsewhere.
 */
export function createRingSealer(setting: string, purpose: string): RingSealer {
  const keys = setting.split(',').map((secret) => Buffer.from(hkdfSync('sha256', secret.trim(), '', `weir ring seal: ${purpose}`, 32)));
  const [active] = keys;
  if (active === undefined) throw new Error('a ring needs a secret');
  return {
    seal: (text) => packBox(closeBox(Buffer.from(text), active, purpose)).toString('base64url'),
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      for (const key of keys) {
        const opened = tryOpen(bytes, key, purpose);
        if (opened !== undefined) return opened;
      }
      return undefined;
    },
  };
}

function tryOpen(bytes: Buffer, key: Buffer, purpose: string): string | undefined {
  try {
    return openBox(unpackBox(bytes), key, purpose).toString('utf8');
  } catch {
    return undefined;
  }
}
