import type { Usage } from '@weir/canonical';
import { asRecord, type JsonRecord } from '../../wire/json-value';

/** Calls of the provider's own tools that each have a fee which no catalogue states. */
const UNPRICED = new Set<unknown>(['file_search_call', 'code_interpreter_call', 'image_generation_call']);

/**
 * Adds the tools that the provider ran itself, by the reply's items; its usage does not count them: searches, which have
 * a price, and calls whose fee no one knows. With one of those the cost is not all there is to pay, so it is an estimate.
 */
export function addHostedCalls(usage: Usage | null, items: unknown): Usage | null {
  if (usage === null || !Array.isArray(items)) return usage;
  const calls = items.map(asRecord).filter((item) => item !== undefined && isDone(item));
  const searches = calls.filter(isSearch).length;
  const counted = searches > usage.searches ? { ...usage, searches } : usage;
  return calls.some((call) => UNPRICED.has(call?.['type'])) ? { ...counted, source: 'estimate' } : counted;
}

function isDone({ status }: JsonRecord): boolean {
  return status === undefined || status === 'completed';
}

/** Opening a page that was found earlier is no search and costs none. */
function isSearch(item: JsonRecord | undefined): boolean {
  const action = asRecord(item?.['action'])?.['type'];
  return item?.['type'] === 'web_search_call' && (action === undefined || action === 'search');
}
