import type { ChatRequest } from '@weir/canonical';

/**
 * Whether the choice of tools leaves the search on offer. Most providers run it by themselves as soon as they are told of it,
 * and charge for it, whatever they are told of functions.
 */
export function isSearchOffered({ toolChoice }: Pick<ChatRequest, 'toolChoice'>): boolean {
  return toolChoice?.kind === 'allowed' ? toolChoice.hasSearch === true : toolChoice?.kind !== 'none';
}
