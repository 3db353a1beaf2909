import { hkdfSync } from 'node:crypto';
import { createApiKeyDigest } from './api-key-format';

/** What keys are stored under: the pepper in force and, while keys still hang on it, the one before. */
export type KeyPeppers = { readonly current: string; readonly previous?: string };

/** The one before is none when it is the one in force. */
export function createKeyPeppers(current: string, previous: string | undefined): KeyPeppers {
  return previous === undefined || previous === current ? { current } : { current, previous };
}

const DIGEST_BYTES = 32;

/**
 * For every request: what a key may be stored as, in one buffer. 32 bytes under the pepper in force; while there is one
 * before it, 32 more under that, so that one look-up and one entry of a cache do for both.
 */
export function createKeyDigests({ current, previous }: KeyPeppers): (key: string) => Buffer {
  const digest = createApiKeyDigest(current);
  if (previous === undefined) return digest;
  const digestBefore = createApiKeyDigest(previous);
  return (key) => Buffer.concat([digest(key), digestBefore(key)]);
}

/** The single digests of `createKeyDigests`, that of the pepper in force first. */
export function splitDigests(digests: Buffer): readonly [current: Buffer, previous?: Buffer] {
  if (digests.length <= DIGEST_BYTES) return [digests];
  return [digests.subarray(0, DIGEST_BYTES), digests.subarray(DIGEST_BYTES)];
}

/** The version on rows that were stored before versions were recorded. */
export const DEFAULT_PEPPER_VERSION = 1;

/** Identifies a pepper without revealing it: a positive number of 31 bits, never `DEFAULT_PEPPER_VERSION`. */
export function pepperVersion(pepper: string): number {
  const bits = Buffer.from(hkdfSync('sha256', pepper, '', 'weir key pepper: version', 4)).readUInt32BE() >>> 1;
  return Math.max(bits, DEFAULT_PEPPER_VERSION + 1);
}
