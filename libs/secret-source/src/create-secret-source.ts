import { createHmac, randomBytes } from 'node:crypto';
import { readFromFile } from './read-from-file';
import { nameReference, SecretUnavailable, type ReadOptions, type SecretReference, type SecretSource } from './secret-source';

type SecretSourceParts = {
  /** Reads one variable; may throw where its file cannot be read. */
  readonly env: (name: string) => string | undefined;
  /** Absent: no Vault is set up. */
  readonly vault?: VaultReader | undefined;
};

export type VaultReader = { readField(path: string, field: string, options?: ReadOptions): Promise<string> };

/** Reads secrets from where their references say. */
export function createSecretSource({ env, vault }: SecretSourceParts): SecretSource {
  // Versions are compared and logged: under a key of this process alone they say nothing of the value.
  const versionKey = randomBytes(32);
  const readValue = (reference: SecretReference, options: ReadOptions): Promise<string> => {
    if ('file' in reference) return readFromFile(reference.file);
    if ('env' in reference) return readVariable(reference.env, env);
    if (vault !== undefined) return vault.readField(reference.vault.path, reference.vault.field, options);
    return Promise.reject(new SecretUnavailable(`${nameReference(reference)} is asked for, but VAULT_ADDR is not set`));
  };
  return {
    read: async (reference, options = {}) => {
      const value = await readValue(reference, options);
      if (value === '') throw new SecretUnavailable(`${nameReference(reference)} is empty`);
      return { value, version: createHmac('sha256', versionKey).update(value).digest('base64url').slice(0, 12) };
    },
  };
}

async function readVariable(name: string, env: SecretSourceParts['env']): Promise<string> {
  let value: string | undefined;
  try {
    value = env(name)?.trim();
  } catch (error) {
    throw new SecretUnavailable(`the file of the variable ${name} cannot be read`, { cause: error });
  }
  if (value === undefined) throw new SecretUnavailable(`the variable ${name} is not set`);
  return value;
}
