import type { LossReport } from '@weir/canonical';
import { createHash } from 'node:crypto';

const CHARACTERS_MAX = 64;

/** Who asks, for providers that take no longer names: a longer one becomes its hash, the same each time. */
export function encodeEndUser(endUserId: string | undefined, losses: LossReport): string | undefined {
  if (endUserId === undefined || endUserId.length <= CHARACTERS_MAX) return endUserId;
  losses.approximated.add('user');
  return createHash('sha256').update(endUserId).digest('hex');
}
