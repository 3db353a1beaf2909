import { NO_USAGE, toCount, type Usage } from '@weir/canonical';
import { asRecord } from '../../wire/json-value';

/** The provider's `usage`: input tokens include what was cached, output tokens include reasoning. */
export function readUsage(usage: unknown): Usage | null {
  const told = asRecord(usage);
  if (told === undefined || (typeof told['input_tokens'] !== 'number' && typeof told['output_tokens'] !== 'number')) return null;
  const details = asRecord(told['input_tokens_details']) ?? {};
  const input = toCount(told['input_tokens']);
  const cacheRead = Math.min(input, toCount(details['cached_tokens']));
  const cacheWrite5m = Math.min(input - cacheRead, toCount(details['cache_write_tokens']));
  const output = toCount(told['output_tokens']);
  const searches = toCount(asRecord(told['server_side_tool_usage_details'])?.['web_search_calls']) || toCount(told['num_web_searches']);
  return {
    ...NO_USAGE,
    inputUncached: input - cacheRead - cacheWrite5m,
    cacheRead,
    cacheWrite5m,
    output,
    reasoning: Math.min(output, toCount(asRecord(told['output_tokens_details'])?.['reasoning_tokens'])),
    searches,
  };
}
