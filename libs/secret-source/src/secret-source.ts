import { z } from 'zod';

const name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, 'must be the name of a variable');
const path = z.string().min(1).max(1_000);

/** Where a secret is kept; never the secret itself. */
export const secretReference = z.union(
  [
    z.strictObject({ env: name }),
    z.strictObject({ file: path }),
    z.strictObject({
      vault: z.strictObject({
        /** As the API of the KV engine, version 2, has it: `secret/data/weir/openai`. */
        path: path
          .regex(/^[^/?#%]+(\/[^/?#%]+)*\/data(\/[^/?#%]+)+$/, 'must be `<mount>/data/<path>`')
          .refine((text) => !text.includes('..')),
        field: z.string().min(1).max(200),
      }),
    }),
  ],
  { error: 'must be {"env": name}, {"file": path} or {"vault": {"path", "field"}}' },
);
export type SecretReference = z.infer<typeof secretReference>;

/** `version` differs where the value does, and says nothing of it. */
export type Secret = { readonly value: string; readonly version: string };

/** The port by which secrets are read, wherever they are kept. */
export type SecretSource = {
  /**
   * Rejects with `SecretUnavailable`. `isFresh`: asks the place itself, also where it was asked a moment ago.
   */
  read(reference: SecretReference, options?: ReadOptions): Promise<Secret>;
};

export type ReadOptions = { readonly isFresh?: boolean };

/** Why a secret could not be read. The message names the place and never the secret. */
export class SecretUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SecretUnavailable';
  }
}

/** A reference in words, for messages and logs. */
export function nameReference(reference: SecretReference): string {
  if ('env' in reference) return `the variable ${reference.env}`;
  if ('file' in reference) return `the file ${reference.file}`;
  return `the field "${reference.vault.field}" of ${reference.vault.path} in Vault`;
}
