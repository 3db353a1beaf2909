import { digestApiKey, generateApiKey } from '@weir/access';
import type { ManagementParts } from '../management-parts';

const PREFIX_LENGTH = 12;

/** A new secret, and what may be stored of it. */
export type ApiKeySecret = {
  /** Shown once, to the caller. */
  readonly secret: string;
  readonly stored: { hash: Uint8Array<ArrayBuffer>; pepperVersion: number; prefix: string; last4: string };
};

export type KeyParts = Pick<ManagementParts, 'keyEnvironment' | 'pepper' | 'pepperVersion'>;

export function createApiKeySecret({ keyEnvironment = 'live', pepper, pepperVersion = 1 }: KeyParts): ApiKeySecret {
  const secret = generateApiKey(keyEnvironment);
  const hash = new Uint8Array(digestApiKey(secret, pepper));
  return { secret, stored: { hash, pepperVersion, prefix: secret.slice(0, PREFIX_LENGTH), last4: secret.slice(-4) } };
}
