import { createCountReader, isNumeral, NO_USAGE, type CountReader, type Usage } from '@weir/canonical';
import { asArray, asRecord, type JsonRecord } from '../../wire/json-value';

/**
 * The provider's `usage`: its input tokens exclude what was read from or written to the cache. Summaries that the
 * provider made of a long conversation are billed beside the message and added to it. Iterations of other kinds are the message
 * itself, or an advisor's, whose tool is refused here.
 */
export function readUsage(usage: unknown): Usage | null {
  const reported = asRecord(usage);
  if (reported === undefined || (!isNumeral(reported['input_tokens']) && !isNumeral(reported['output_tokens']))) return null;
  const beside = asArray(reported['iterations'])
    .map(asRecord)
    .filter((iteration) => iteration?.['type'] === 'compaction');
  const reader = createCountReader();
  const reply = readPart(reported, reader, reader.needed);
  const more = { ...(hasOtherPrice(reported) ? { source: 'estimate' as const } : {}), ...reader.doubt() };
  if (beside.length === 0) return { ...reply, ...more };
  const aside = beside.reduce<Usage>((earlier, part) => add(earlier, readPart(part ?? {}, reader)), NO_USAGE);
  return { ...add(reply, aside), aside, ...more, ...reader.doubt() };
}

/** Replies made faster, or in one country only, cost more, and no catalogue says how much. */
function hasOtherPrice({ speed, inference_geo: place }: JsonRecord): boolean {
  return speed === 'fast' || place === 'us';
}

function readPart(reported: JsonRecord, { count, part }: CountReader, needed = count): Usage {
  const writes = asRecord(reported['cache_creation']) ?? {};
  const cacheWrite1h = count(writes['ephemeral_1h_input_tokens']);
  const cacheWrite5m = Math.max(count(writes['ephemeral_5m_input_tokens']), count(reported['cache_creation_input_tokens']) - cacheWrite1h);
  const output = needed(reported['output_tokens']);
  return {
    ...NO_USAGE,
    inputUncached: needed(reported['input_tokens']),
    cacheRead: count(reported['cache_read_input_tokens']),
    cacheWrite5m,
    cacheWrite1h,
    output,
    reasoning: part(asRecord(reported['output_tokens_details'])?.['thinking_tokens'], output),
    searches: count(asRecord(reported['server_tool_use'])?.['web_search_requests']),
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

/** The usage of several events of one stream: the last value of each member. A null takes nothing back. */
export function mergeUsage(earlier: JsonRecord, later: unknown): JsonRecord {
  const reported = asRecord(later);
  if (reported === undefined) return earlier;
  const merged = { ...earlier };
  for (const [name, value] of Object.entries(reported)) if (value !== null) merged[name] = value;
  return merged;
}
