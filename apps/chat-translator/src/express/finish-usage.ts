import { promptTokens, type Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import type { PricedUsage } from '@weir/wire-formats';
import { setNested } from '../frames/edit-nested';

type UsageToFinish = {
  readonly dialect: ChatDialect;
  /** The provider's usage object as its reader knows it: merged where several events report parts of it. */
  readonly reported: unknown;
  readonly priced: PricedUsage;
};

type Count = readonly [path: readonly [string] | readonly [parent: string, name: string], value: number];

/**
 * Writes our cost into a provider's own usage object, which stands in `text` at `path`, in place of a cost the provider
 * put there. Counts that differ from what is charged (reasoning beside the completion, summaries beside the answer) are
 * corrected; all others stay as they came.
 */
export function finishUsage(text: string, path: readonly string[], { dialect, reported, priced }: UsageToFinish): string {
  const known = isRecord(reported) ? reported : {};
  const counts = [...COUNTS[dialect](priced.usage), ...PARTS[dialect](priced.usage).filter(([name]) => isReportedIn(known, name))];
  const corrected = counts.reduce((edited, count) => correct(edited, path, known, count), text);
  const withCost = setNested(corrected, [...path, 'cost'], priced.costUsd);
  return priced.usage.source === 'estimate' ? setNested(withCost, [...path, 'estimated'], 'true') : withCost;
}

function correct(text: string, path: readonly string[], known: Record<string, unknown>, count: Count): string {
  const [[outer, inner], value] = count;
  const parent = known[outer];
  // A total that was left out needs no correction.
  if (parent === undefined && outer === 'total_tokens') return text;
  if (inner === undefined) return isSame(parent, value) ? text : setNested(text, [...path, outer], String(value));
  if (isRecord(parent)) {
    return isSame(parent[inner], value) ? text : setNested(text, [...path, outer, inner], String(value));
  }
  return value === 0 ? text : setNested(text, [...path, outer], JSON.stringify({ [inner]: value }));
}

/** A count that was left out means 0. */
function isSame(reported: unknown, value: number): boolean {
  return (reported ?? 0) === value;
}

/** The members of each dialect for the kinds of tokens. */
const COUNTS: Readonly<Record<ChatDialect, (usage: Usage) => readonly Count[]>> = {
  'chat-completions': (usage) => [
    [['prompt_tokens'], promptTokens(usage)],
    [['completion_tokens'], usage.output],
    [['total_tokens'], promptTokens(usage) + usage.output],
    [['prompt_tokens_details', 'cached_tokens'], usage.cacheRead],
    [['prompt_tokens_details', 'caching_tokens'], usage.cacheWrite5m + usage.cacheWrite1h],
    [['completion_tokens_details', 'reasoning_tokens'], usage.reasoning],
  ],
  responses: (usage) => [
    [['input_tokens'], promptTokens(usage)],
    [['output_tokens'], usage.output],
    [['total_tokens'], promptTokens(usage) + usage.output],
    [['input_tokens_details', 'cached_tokens'], usage.cacheRead],
    [['output_tokens_details', 'reasoning_tokens'], usage.reasoning],
  ],
  messages: (usage) => [
    [['input_tokens'], usage.inputUncached],
    [['cache_read_input_tokens'], usage.cacheRead],
    [['cache_creation_input_tokens'], usage.cacheWrite5m + usage.cacheWrite1h],
    [['output_tokens'], usage.output],
  ],
};

/** Counts that are corrected only where the provider reported them. */
const PARTS: Readonly<Record<ChatDialect, (usage: Usage) => readonly Count[]>> = {
  'chat-completions': (usage) => [
    [['prompt_tokens_details', 'audio_tokens'], usage.audioInput],
    [['prompt_tokens_details', 'cache_write_tokens'], usage.cacheWrite5m + usage.cacheWrite1h],
    [['completion_tokens_details', 'audio_tokens'], usage.audioOutput],
  ],
  responses: (usage) => [[['input_tokens_details', 'cache_write_tokens'], usage.cacheWrite5m + usage.cacheWrite1h]],
  messages: (usage) => [
    [['cache_creation', 'ephemeral_5m_input_tokens'], usage.cacheWrite5m],
    [['cache_creation', 'ephemeral_1h_input_tokens'], usage.cacheWrite1h],
    [['server_tool_use', 'web_search_requests'], usage.searches],
    [['output_tokens_details', 'thinking_tokens'], usage.reasoning],
  ],
};

function isReportedIn(known: Record<string, unknown>, [outer, inner]: Count[0]): boolean {
  const parent = known[outer];
  return isRecord(parent) && inner !== undefined && (parent[inner] ?? null) !== null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
