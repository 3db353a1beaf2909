import { createCountReader, isNumeral, NO_USAGE, type CountReader, type Usage } from '@weir/canonical';
import { includeReasoning } from '../wire/include-reasoning';
import { asRecord, type JsonRecord } from '../wire/json-value';
import type { CompatibleProvider } from './rules/compatible-provider.schema';

const SEARCH_SIZES: ReadonlySet<unknown> = new Set(['low', 'medium', 'high', null]);
/** 12.5 frames, and what marks them. */
const SOUND_TOKENS_PER_SECOND = 13;

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
  const text = needed(reported['prompt_tokens'], total, count(reported['completion_tokens']));
  const sound = countSoundBeside(reported, { text, count });
  const prompt = text + sound;
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
    audioInput: Math.min(Math.max(sound, count(input['audio_tokens'])), prompt),
    audioOutput: Math.min(count(details['audio_tokens']), output),
    ...readSearches(reported, { style, count }),
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

/**
 * Where a recording is counted by its seconds, its tokens are in the total alone: Voxtral reports a prompt of 4 tokens beside 203
 * seconds, and a total with 2,625 more. Without a total they are counted as its encoder makes them, rounded up.
 */
function countSoundBeside(usage: JsonRecord, { text, count }: { readonly text: number; readonly count: CountReader['count'] }): number {
  const seconds = count(usage['prompt_audio_seconds']);
  if (seconds === 0) return 0;
  const total = count(usage['total_tokens']);
  return total === 0 ? seconds * SOUND_TOKENS_PER_SECOND : Math.max(0, total - text - count(usage['completion_tokens']));
}

/** What was read for an answer, and searches of a size that has no name here, have prices of their own. */
function hasOtherFees(usage: JsonRecord, { style, count }: Reading): boolean {
  const { citation_tokens: read, search_context_size: size = 'low' } = usage;
  const isUncounted = count(usage['prompt_audio_seconds']) > 0 && count(usage['total_tokens']) === 0;
  return isUncounted || (style === 'one-search-each' && (count(read) > 0 || !SEARCH_SIZES.has(size)));
}

/** The fee of a search is by how much it reads, the least unless the provider says otherwise. */
function readSearches(usage: JsonRecord, { style, count }: Reading): Pick<Usage, 'searches' | 'searchesMedium' | 'searchesHigh'> {
  const reported = count(usage['num_search_queries']) || count(asRecord(usage['server_tool_use'])?.['web_search_requests']);
  if (style !== 'one-search-each') return { searches: reported };
  const searches = reported > 0 ? reported : 1;
  const size = usage['search_context_size'];
  return {
    searches,
    ...(size === 'medium' ? { searchesMedium: searches } : {}),
    ...(size === 'high' ? { searchesHigh: searches } : {}),
  };
}
