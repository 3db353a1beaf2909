import { digestApiKey, generateApiKey, pepperVersion, type KeyPeppers } from '@weir/access';
import type { Prisma } from '@weir/database';
import type { RouteParts } from '../route/management-parts';

const PREFIX_LENGTH = 12;

type Hash = Uint8Array<ArrayBuffer>;

/** A secret as it may be stored; under the pepper before too, while processes may be running that have no other yet. */
type StoredHashes = { hash: Hash; pepperVersion: number; formerHash: Hash | null; formerPepperVersion: number | null };

/** A new secret, and what may be stored of it. */
export type ApiKeySecret = {
  /** Shown once, to the caller. */
  readonly secret: string;
  readonly stored: StoredHashes & { prefix: string; last4: string };
};

export type KeyParts = Pick<RouteParts, 'keyEnvironment' | 'peppers'>;

export function createApiKeySecret({ keyEnvironment = 'live', peppers }: KeyParts): ApiKeySecret {
  const secret = generateApiKey(keyEnvironment);
  return { secret, stored: { ...hashSecret(secret, peppers), prefix: secret.slice(0, PREFIX_LENGTH), last4: secret.slice(-4) } };
}

export function hashSecret(secret: string, { current, previous }: KeyPeppers): StoredHashes {
  return {
    hash: new Uint8Array(digestApiKey(secret, current)),
    pepperVersion: pepperVersion(current),
    formerHash: previous === undefined ? null : new Uint8Array(digestApiKey(secret, previous)),
    formerPepperVersion: previous === undefined ? null : pepperVersion(previous),
  };
}

/** What is kept of a secret that lives on until `endsAt`: the digest that every process finds, where there are two. */
export function keepPreviousSecret(
  key: Pick<Prisma.ApiKeyGetPayload<object>, 'hash' | 'pepperVersion' | 'formerHash' | 'formerPepperVersion'>,
  peppers: KeyPeppers,
  endsAt: Date,
): Pick<Prisma.ApiKeyUncheckedUpdateInput, 'previousHash' | 'previousHashExpiresAt' | 'previousPepperVersion'> {
  const former = key.formerHash === null ? undefined : findFormerPepper(key, peppers);
  const kept =
    former === undefined
      ? { previousHash: key.hash, previousPepperVersion: key.pepperVersion }
      : { previousHash: key.formerHash, previousPepperVersion: pepperVersion(former) };
  return { ...kept, previousHashExpiresAt: endsAt };
}

type Versions = { readonly pepperVersion: number; readonly formerPepperVersion: number | null };

/**
 * The pepper of a key's former digest, where every process has it: the one before for a key under the one in force or under
 * one that was given up, and our only one for a key that moved on to a pepper which we do not have. Undefined where that
 * digest is of times before.
 */
function findFormerPepper(
  { pepperVersion: version, formerPepperVersion }: Versions,
  { current, previous }: KeyPeppers,
): string | undefined {
  const isUnderCurrent = version === pepperVersion(current);
  const isOf = (pepper: string): boolean => formerPepperVersion === pepperVersion(pepper);
  if (formerPepperVersion === null) return isUnderCurrent ? previous : previous === undefined ? current : undefined;
  if (previous !== undefined && isOf(previous)) return previous;
  return !isUnderCurrent && previous === undefined && isOf(current) ? current : undefined;
}

export const NO_PREVIOUS_SECRET = { previousHash: null, previousHashExpiresAt: null, previousPepperVersion: null } as const;
