import type { Usage } from '@weir/canonical';
import { readUsage as readChatUsage } from '../../openai-compatible/read-usage';

/** Counts as the vendor of the models does. */
export function readUsage(usage: unknown): Usage | null {
  return readChatUsage(usage, 'standard');
}
