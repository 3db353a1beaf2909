import type { ChatRequest } from '@weir/canonical';

/**
 * Whether the choice of tools leaves the search on offer. Most providers run it by themselves as soon as it is in the request,
 * and charge for it, whatever the request says of functions.
 */
export function isSearchOffered({ toolChoice }: Pick<ChatRequest, 'toolChoice'>): boolean {
  if (toolChoice?.kind === 'allowed') return toolChoice.hasSearch === true;
  // Who names one tool wants no other.
  return toolChoice?.kind !== 'none' && toolChoice?.kind !== 'tool';
}
