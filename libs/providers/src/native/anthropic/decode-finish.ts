import type { FinishReason, UnifiedFinish } from '@weir/canonical';
import { asRecord, asText } from '../../wire/json-value';

const UNIFIED: Readonly<Record<string, UnifiedFinish>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  stop_sequence: 'stop-sequence',
  tool_use: 'tool-calls',
  pause_turn: 'pause',
  refusal: 'content-filter',
  model_context_window_exceeded: 'context-full',
  compaction: 'pause',
};

export type StopWords = { readonly stop_reason?: unknown; readonly stop_sequence?: unknown; readonly stop_details?: unknown };

export function decodeFinish(words: StopWords, hasToolCalls: boolean): FinishReason {
  const upstream = asText(words.stop_reason) ?? null;
  const stopSequence = asText(words.stop_sequence);
  const explanation = asText(asRecord(words.stop_details)?.['explanation']);
  const known = UNIFIED[upstream ?? ''];
  return {
    unified: known ?? (hasToolCalls ? 'tool-calls' : 'stop'),
    upstream,
    ...(known === undefined && upstream !== null ? { isNearest: true } : {}),
    ...(stopSequence === undefined ? {} : { stopSequence }),
    ...(explanation === undefined ? {} : { explanation }),
  };
}
