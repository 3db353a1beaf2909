import { digestApiKey, generateApiKey, pepperVersion, type KeyPeppers } from '@weir/access';
import type { Prisma } from '@weir/database';
import type { ManagementParts } from '../management-parts';

const PREFIX_LENGTH = 12;

type Hash = Uint8Array<ArrayBuffer>;

/** A secret as it may be stored; under the pepper before too, while processes may be running that have no other yet. */
export type StoredHashes = { hash: Hash; pepperVersion: number; formerHash: Hash | null };

/** A new secret, and what may be stored of it. */
export type ApiKeySecret = {
  /** Shown once, to the caller. */
  readonly secret: string;
  readonly stored: StoredHashes & { prefix: string; last4: string };
};

export type KeyParts = Pick<ManagementParts, 'keyEnvironment' | 'peppers'>;

export function createApiKeySecret({ keyEnvironment = 'live', peppers }: KeyParts): ApiKeySecret {
  const secret = generateApiKey(keyEnvironment);
  return { secret, stored: { ...hashSecret(secret, peppers), prefix: secret.slice(0, PREFIX_LENGTH), last4: secret.slice(-4) } };
}

export function hashSecret(secret: string, { current, previous }: KeyPeppers): StoredHashes {
  return {
    hash: new Uint8Array(digestApiKey(secret, current)),
    pepperVersion: pepperVersion(current),
    formerHash: previous === undefined ? null : new Uint8Array(digestApiKey(secret, previous)),
  };
}

/** What is kept of a secret that lives on until `endsAt`: the digest that every process finds, where there are two. */
export function keepPreviousSecret(
  key: Pick<Prisma.ApiKeyGetPayload<object>, 'hash' | 'formerHash' | 'pepperVersion'>,
  { previous }: KeyPeppers,
  endsAt: Date,
): Pick<Prisma.ApiKeyUncheckedUpdateInput, 'previousHash' | 'previousHashExpiresAt' | 'previousPepperVersion'> {
  const kept =
    previous === undefined || key.formerHash === null
      ? { previousHash: key.hash, previousPepperVersion: key.pepperVersion }
      : { previousHash: key.formerHash, previousPepperVersion: pepperVersion(previous) };
  return { ...kept, previousHashExpiresAt: endsAt };
}

export const NO_PREVIOUS_SECRET = { previousHash: null, previousHashExpiresAt: null, previousPepperVersion: null } as const;
