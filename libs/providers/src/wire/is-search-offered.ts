import type { ChatRequest } from '@weir/canonical';

/**
 * Whether the choice of tools leaves the search on offer. Most providers run it by themselves as soon as they are told of it,
 * and charge for it, whatever they are told of functions.
 */
export function isSearchOffered({ toolChoice }: Pick<ChatRequest, 'toolChoice'>): boolean {
  if (toolChoice?.kind === 'allowed') return toolChoice.hasSearch === true;
  // Who names one tool wants no other.
  return toolChoice?.kind !== 'none' && toolChoice?.kind !== 'tool';
}
