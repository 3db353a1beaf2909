import type { FinishReason, UnifiedFinish } from '@weir/canonical';
import { asRecord, asText } from '../../wire/json-value';

const UNIFIED: Readonly<Record<string, UnifiedFinish>> = {
  end_turn: 'stop',
  stop_sequence: 'stop-sequence',
  max_tokens: 'length',
  model_context_window_exceeded: 'context-full',
  tool_use: 'tool-calls',
  guardrail_intervened: 'content-filter',
  content_filtered: 'content-filter',
  malformed_model_output: 'error',
  malformed_tool_use: 'error',
};

export type StopWords = { readonly stopReason?: unknown; readonly additionalModelResponseFields?: unknown };
export type CallsSeen = { readonly hasToolCalls: boolean; readonly hasAnswer: boolean };

/** A call of the answer tool is the answer itself, and no call. */
export function decodeFinish(words: StopWords, { hasToolCalls, hasAnswer }: CallsSeen): FinishReason {
  const upstream = asText(words.stopReason) ?? null;
  const stopSequence = readStopSequence(words.additionalModelResponseFields);
  const known = UNIFIED[upstream ?? ''];
  const reported = known ?? (hasToolCalls ? 'tool-calls' : 'stop');
  return {
    unified: reported === 'tool-calls' && hasAnswer && !hasToolCalls ? 'stop' : reported,
    upstream,
    ...(known === undefined && upstream !== null ? { isNearest: true } : {}),
    ...(stopSequence === undefined ? {} : { stopSequence }),
  };
}

function readStopSequence(fields: unknown): string | undefined {
  const reported = asRecord(fields);
  return asText(reported?.['stop_sequence']) ?? asText(asRecord(reported?.['delta'])?.['stop_sequence']);
}
