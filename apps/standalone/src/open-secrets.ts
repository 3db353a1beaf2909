import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What standalone keeps for itself, so that nobody has to set anything up. */
export type Secrets = { readonly keyPepper: string };

/** Reads the secrets of a data directory, making them at the first start. Only the owner of the process may read the file. */
export function openSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json');
  if (existsSync(path)) {
    const stored = JSON.parse(readFileSync(path, 'utf8')) as Partial<Secrets>;
    if (typeof stored.keyPepper !== 'string' || stored.keyPepper.length < 32) {
      throw new Error(`${path} is damaged. Restore it from a backup: without it the keys in the database cannot be used.`);
    }
    return { keyPepper: stored.keyPepper };
  }
  const secrets: Secrets = { keyPepper: randomBytes(32).toString('base64url') };
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return secrets;
}
