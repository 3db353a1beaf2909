import { createKeyPeppers, type KeyPeppers } from '@weir/access';
import { tightenMode } from '@weir/directory-lock';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What standalone keeps for itself, so that no one has to set anything up. */
export type Secrets = {
  readonly keyPepper: string;
  /** The one before, while keys still hang on it; put there by hand. */
  readonly previousKeyPepper?: string | undefined;
  /** The setting `SEALING_KEY`: key-encryption keys with commas between them, of which the first seals. */
  readonly sealingKey: string;
};

type GivenSecrets = {
  readonly SEALING_KEY?: string | undefined;
  readonly KEY_PEPPER?: string | undefined;
  readonly KEY_PEPPER_PREVIOUS?: string | undefined;
};

/**
 * The secrets of a gateway: those that its settings give, and for the others what its data directory keeps, where those that
 * are not there yet are made. Where both are given, nothing is kept. A sealing key that is given seals, and one that was kept
 * goes on opening what it sealed; a pepper that is given counts alone, as all processes on one database need the same.
 */
export function openSecrets(dataDir: string, given: GivenSecrets = {}): Secrets {
  const path = join(dataDir, 'secrets.json');
  const { SEALING_KEY: sealingKey, KEY_PEPPER: keyPepper, KEY_PEPPER_PREVIOUS: previousKeyPepper } = given;
  const isAllGiven = sealingKey !== undefined && keyPepper !== undefined;
  if (isAllGiven && !existsSync(path)) return { keyPepper, previousKeyPepper, sealingKey };
  const kept = readOrMake(path);
  return {
    ...kept,
    ...(keyPepper === undefined ? {} : { keyPepper, previousKeyPepper }),
    sealingKey: sealingKey === undefined ? kept.sealingKey : `${sealingKey},${kept.sealingKey}`,
  };
}

/** Only the owner of the process may read the file. */
function readOrMake(path: string): Secrets {
  const stored = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Secrets>) : {};
  if (existsSync(path) && !isSecret(stored.keyPepper)) {
    throw new Error(`${path} is damaged. Restore it from a backup: without it the keys in the database cannot be used.`);
  }
  if (existsSync(path)) tightenMode(path); // a backup that was put back may have left it open
  const secrets = { ...stored, keyPepper: stored.keyPepper ?? createSecret(), sealingKey: stored.sealingKey ?? createSecret() };
  if (stored.sealingKey === undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return secrets;
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
