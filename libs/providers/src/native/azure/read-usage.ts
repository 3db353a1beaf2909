import type { Usage } from '@weir/canonical';
import { readUsage as readChatUsage } from '../../openai-compatible/read-usage';
import { withTier } from '../../wire/with-tier';

/** Counts as the vendor of the models does. */
export function readUsage(usage: unknown, tier?: unknown): Usage | null {
  return withTier(readChatUsage(usage, 'standard'), tier);
}
