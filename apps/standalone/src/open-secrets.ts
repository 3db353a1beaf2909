import { createKeyPeppers, type KeyPeppers } from '@weir/access';
import { tightenMode } from '@weir/directory-lock';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What standalone keeps for itself, so that no one has to set anything up. */
export type Secrets = {
  readonly keyPepper: string;
  /** The one before, while keys still hang on it; put there by hand. */
  readonly previousKeyPepper?: string;
  /** The setting `SEALING_KEY`: key-encryption keys with commas between them, of which the first seals. */
  readonly sealingKey: string;
};

/**
 * Reads the secrets of a data directory, making those that are not there yet. Only the owner of the process may read the
 * file. With `sealingKey`, that one seals, and the kept one goes on opening what it sealed.
 */
export function openSecrets(dataDir: string, sealingKey?: string): Secrets {
  const path = join(dataDir, 'secrets.json');
  const stored = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Secrets>) : {};
  if (existsSync(path) && !isSecret(stored.keyPepper)) {
    throw new Error(`${path} is damaged. Restore it from a backup: without it the keys in the database cannot be used.`);
  }
  if (existsSync(path)) tightenMode(path); // a backup that was put back may have left it open
  const secrets = { ...stored, keyPepper: stored.keyPepper ?? createSecret(), sealingKey: stored.sealingKey ?? createSecret() };
  if (stored.sealingKey === undefined) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return sealingKey === undefined ? secrets : { ...secrets, sealingKey: `${sealingKey},${secrets.sealingKey}` };
}

export function readPeppers({ keyPepper, previousKeyPepper }: Secrets): KeyPeppers {
  return createKeyPeppers(keyPepper, previousKeyPepper);
}

function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 32;
}
