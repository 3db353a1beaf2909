import { createCountReader, isNumeral, NO_USAGE, type CountReader, type Usage } from '@weir/canonical';
import { includeReasoning } from '../wire/include-reasoning';
import { asRecord, type JsonRecord } from '../wire/json-value';
import type { CompatibleProvider } from './rules/compatible-provider.schema';

export type UsageStyle = CompatibleProvider['usage'];

/**
 * The `usage` object of chat completions in disjoint buckets. The prompt's count includes what was cached; the
 * completion's count includes reasoning, except where `style` says that it stands apart. Prices in it are ignored.
 */
export function readUsage(usage: unknown, style: UsageStyle): Usage | null {
  const reported = asRecord(usage);
  if (reported === undefined || (!isNumeral(reported['prompt_tokens']) && !isNumeral(reported['completion_tokens']))) return null;
  const input = asRecord(reported['prompt_tokens_details']) ?? {};
  const details = asRecord(reported['completion_tokens_details']) ?? {};
  const { count, needed, part, doubt } = createCountReader();
  const { total_tokens: total } = reported;
  const prompt = needed(reported['prompt_tokens'], total, count(reported['completion_tokens']));
  const cacheRead = part(findCached(reported, input), prompt);
  const cacheWrite = Math.min(prompt - cacheRead, count(input['cache_write_tokens']));
  const reasoning = count(details['reasoning_tokens'] ?? reported['reasoning_tokens']);
  const completion = needed(reported['completion_tokens'], total, prompt);
  const output = readOutput({ completion, reasoning, prompt, total }, style);
  return {
    ...NO_USAGE,
    inputUncached: prompt - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite5m: cacheWrite,
    output,
    reasoning: Math.min(reasoning, output),
    audioInput: Math.min(count(input['audio_tokens']), prompt),
    audioOutput: Math.min(count(details['audio_tokens']), output),
    searches: readSearches(reported, { style, count }),
    ...(hasOtherFees(reported, { style, count }) ? { source: 'estimate' as const } : {}),
    ...doubt(),
  };
}

function findCached(usage: JsonRecord, details: JsonRecord): unknown {
  return details['cached_tokens'] || usage['prompt_cache_hit_tokens'] || usage['cached_tokens'];
}

type Reading = { readonly style: UsageStyle; readonly count: CountReader['count'] };

/** Where reasoning stands apart the total proves it. More reasoning than completion cannot be a part of it, whatever the style. */
function readOutput(counts: Parameters<typeof includeReasoning>[0], style: UsageStyle): number {
  const { completion, reasoning } = counts;
  return style !== 'reasoning-apart' && reasoning <= completion ? completion : includeReasoning(counts);
}

/** The fee of a search is that of one of medium size, and what was read for an answer has a price of its own. */
function hasOtherFees(usage: JsonRecord, { style, count }: Reading): boolean {
  const { citation_tokens: read, search_context_size: size = 'medium' } = usage;
  return style === 'one-search-each' && (count(read) > 0 || size !== 'medium');
}

function readSearches(usage: JsonRecord, { style, count }: Reading): number {
  const reported = count(usage['num_search_queries']) || count(asRecord(usage['server_tool_use'])?.['web_search_requests']);
  return reported > 0 ? reported : style === 'one-search-each' ? 1 : 0;
}
