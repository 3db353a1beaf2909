import type { Usage } from '@weir/canonical';

type OutputItem = { readonly type?: unknown; readonly status?: unknown; readonly action?: { readonly type?: unknown } | null } | null;

/**
 * Adds the searches that a reply of the responses dialect made, which each have a fee: its usage does not count them, but
 * they are items of its output. Opening a page that was found earlier is no search.
 */
export function addSearches(usage: Usage | null, output: unknown): Usage | null {
  if (usage === null || !Array.isArray(output)) return usage;
  const searches = (output as OutputItem[]).filter((item) => item?.type === 'web_search_call' && isBilled(item)).length;
  return searches > usage.searches ? { ...usage, searches } : usage;
}

function isBilled({ status, action }: NonNullable<OutputItem>): boolean {
  return (status === undefined || status === 'completed') && (action?.type === undefined || action.type === 'search');
}
