import { createCountReader, isNumeral, NO_USAGE, type Usage } from '@weir/canonical';
import { includeReasoning } from '../../wire/include-reasoning';
import { asRecord } from '../../wire/json-value';

/** The provider's `usage`: input tokens include what was cached, output tokens include reasoning, unless that is more than they are. */
export function readUsage(usage: unknown): Usage | null {
  const reported = asRecord(usage);
  if (reported === undefined || (!isNumeral(reported['input_tokens']) && !isNumeral(reported['output_tokens']))) return null;
  const details = asRecord(reported['input_tokens_details']) ?? {};
  const { count, needed, part, doubt } = createCountReader();
  const { total_tokens: total } = reported;
  const input = needed(reported['input_tokens'], total, count(reported['output_tokens']));
  const cacheRead = part(details['cached_tokens'], input);
  const cacheWrite5m = Math.min(input - cacheRead, count(details['cache_write_tokens']));
  const completion = needed(reported['output_tokens'], total, input);
  const reasoning = count(asRecord(reported['output_tokens_details'])?.['reasoning_tokens']);
  const output = reasoning <= completion ? completion : includeReasoning({ completion, reasoning, prompt: input, total });
  const searches = count(asRecord(reported['server_side_tool_usage_details'])?.['web_search_calls']) || count(reported['num_web_searches']);
  return {
    ...NO_USAGE,
    inputUncached: input - cacheRead - cacheWrite5m,
    cacheRead,
    cacheWrite5m,
    output,
    reasoning: Math.min(reasoning, output),
    searches,
    ...doubt(),
  };
}
