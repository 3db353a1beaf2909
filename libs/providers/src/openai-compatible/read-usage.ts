import { NO_USAGE, toCount, type Usage } from '@weir/canonical';
import { asRecord, type JsonRecord } from '../wire/json-value';
import type { CompatibleProvider } from './compatible-provider.schema';

export type UsageStyle = CompatibleProvider['usage'];

/**
 * The `usage` object of chat completions in disjoint buckets. The prompt's count includes what was cached; the
 * completion's count includes reasoning, except where `style` says that it stands apart. Prices in it are ignored.
 */
export function readUsage(usage: unknown, style: UsageStyle): Usage | null {
  const told = asRecord(usage);
  if (told === undefined || (typeof told['prompt_tokens'] !== 'number' && typeof told['completion_tokens'] !== 'number')) return null;
  const input = asRecord(told['prompt_tokens_details']) ?? {};
  const details = asRecord(told['completion_tokens_details']) ?? {};
  const prompt = toCount(told['prompt_tokens']);
  const cacheRead = Math.min(prompt, readCached(told, input));
  const cacheWrite = Math.min(prompt - cacheRead, toCount(input['cache_write_tokens']));
  const reasoning = toCount(details['reasoning_tokens'] ?? told['reasoning_tokens']);
  const output = readOutput(told, reasoning, style);
  return {
    ...NO_USAGE,
    inputUncached: prompt - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite5m: cacheWrite,
    output,
    reasoning: Math.min(reasoning, output),
    audioInput: Math.min(toCount(input['audio_tokens']), prompt),
    audioOutput: Math.min(toCount(details['audio_tokens']), output),
    searches: readSearches(told, style),
  };
}

function readCached(usage: JsonRecord, details: JsonRecord): number {
  return toCount(details['cached_tokens']) || toCount(usage['prompt_cache_hit_tokens']) || toCount(usage['cached_tokens']);
}

/** Where reasoning stands apart the total proves it: without a total the two counts are added. */
function readOutput(usage: JsonRecord, reasoning: number, style: UsageStyle): number {
  const completion = toCount(usage['completion_tokens']);
  if (style !== 'reasoning-apart') return completion;
  const total = toCount(usage['total_tokens']);
  const beyondPrompt = total - toCount(usage['prompt_tokens']);
  return total > 0 && beyondPrompt >= completion && beyondPrompt <= completion + reasoning ? beyondPrompt : completion + reasoning;
}

function readSearches(usage: JsonRecord, style: UsageStyle): number {
  const told = toCount(usage['num_search_queries']) || toCount(asRecord(usage['server_tool_use'])?.['web_search_requests']);
  return told > 0 ? told : style === 'one-search-each' ? 1 : 0;
}
