import { NO_USAGE, toCount, type Usage } from '@weir/canonical';
import { asArray, asRecord, type JsonRecord } from '../../wire/json-value';

/**
 * The provider's `usage`: its input tokens exclude what was read from or written to the cache. Summaries that the
 * provider made of a long conversation are billed beside the answer and added to it.
 */
export function readUsage(usage: unknown): Usage | null {
  const told = asRecord(usage);
  if (told === undefined || (typeof told['input_tokens'] !== 'number' && typeof told['output_tokens'] !== 'number')) return null;
  const summaries = asArray(told['iterations'])
    .map(asRecord)
    .filter((iteration) => iteration?.['type'] === 'compaction');
  return [told, ...summaries].reduce<Usage>((sum, part) => add(sum, readPart(part ?? {})), NO_USAGE);
}

function readPart(told: JsonRecord): Usage {
  const writes = asRecord(told['cache_creation']) ?? {};
  const cacheWrite1h = toCount(writes['ephemeral_1h_input_tokens']);
  const cacheWrite5m = Math.max(toCount(writes['ephemeral_5m_input_tokens']), toCount(told['cache_creation_input_tokens']) - cacheWrite1h);
  const output = toCount(told['output_tokens']);
  return {
    ...NO_USAGE,
    inputUncached: toCount(told['input_tokens']),
    cacheRead: toCount(told['cache_read_input_tokens']),
    cacheWrite5m,
    cacheWrite1h,
    output,
    reasoning: Math.min(output, toCount(asRecord(told['output_tokens_details'])?.['thinking_tokens'])),
    searches: toCount(asRecord(told['server_tool_use'])?.['web_search_requests']),
  };
}

function add(left: Usage, right: Usage): Usage {
  return {
    ...left,
    inputUncached: left.inputUncached + right.inputUncached,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite5m: left.cacheWrite5m + right.cacheWrite5m,
    cacheWrite1h: left.cacheWrite1h + right.cacheWrite1h,
    output: left.output + right.output,
    reasoning: left.reasoning + right.reasoning,
    searches: left.searches + right.searches,
  };
}

/** What several events of one stream told: the last value of each member. A null takes nothing back. */
export function mergeUsage(earlier: JsonRecord, later: unknown): JsonRecord {
  const told = asRecord(later);
  if (told === undefined) return earlier;
  const merged = { ...earlier };
  for (const [name, value] of Object.entries(told)) if (value !== null) merged[name] = value;
  return merged;
}
