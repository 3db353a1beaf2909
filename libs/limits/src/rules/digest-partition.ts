import { createHash } from 'node:crypto';

/** Enough that no two partitions of an organization ever meet: 132 bits. */
const DIGEST_CHARS = 22;
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/** The partition of what callers choose: names of scopes are stored and logged, so that they never carry its text. */
export function digestPartition(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_CHARS);
}

/** The partition of an id of ours: itself. */
export function partitionOfId(id: string): string {
  return PLAIN.test(id) ? id : digestPartition(id);
}
