import { closeSync, existsSync, fchmodSync, openSync, readFileSync, writeSync } from 'node:fs';
import { UsageError } from '../command';

export type NewSecret = { readonly kind: string; readonly name: string; readonly id: string; readonly secret: string };

/** Looks before anything is made whether secrets can be kept there: afterwards it is too late. */
export function checkSecretsFile(path: string): void {
  if (existsSync(path)) readSecrets(path);
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw new UsageError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}).`, { cause: error });
  }
}

/** Adds secrets to a file that only its owner can read: `{"keys": {name: secret}, "alerts": {…}}`. */
export function writeSecrets(path: string, secrets: readonly NewSecret[]): void {
  const kept = readSecrets(path);
  for (const { kind, name, secret } of secrets) {
    const section = `${kind}s`;
    kept[section] = { ...kept[section], [name]: secret };
  }
  const file = openSync(path, 'w', 0o600);
  try {
    fchmodSync(file, 0o600);
    writeSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  } finally {
    closeSync(file);
  }
}

function readSecrets(path: string): Record<string, Record<string, string>> {
  try {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return text.trim() === '' ? {} : (JSON.parse(text) as Record<string, Record<string, string>>);
  } catch (error) {
    throw new UsageError(`${path} is not a file of keys that this command has written.`, { cause: error });
  }
}
