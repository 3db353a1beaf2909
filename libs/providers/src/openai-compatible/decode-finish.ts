import type { FinishReason, UnifiedFinish } from '@weir/canonical';
import { asText, type JsonRecord } from '../wire/json-value';

const UNIFIED: Readonly<Record<string, UnifiedFinish>> = {
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  stop_token: 'stop',
  complete: 'stop',
  completed: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop-sequence',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  max_length: 'length',
  model_length: 'context-full',
  model_context_window_exceeded: 'context-full',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  tool_use: 'tool-calls',
  content_filter: 'content-filter',
  safety: 'content-filter',
  sensitive: 'content-filter',
  recitation: 'content-filter',
  prohibited_content: 'content-filter',
  refusal: 'content-filter',
  error: 'error',
  network_error: 'error',
  timeout: 'error',
  abort: 'error',
  aborted: 'error',
  insufficient_system_resource: 'error',
};

/** The members by which servers report the stop sequence: vLLM by the first, SGLang by the second. A number there is a token. */
export function readStopSequence(choice: JsonRecord): string | undefined {
  return asText(choice['stop_reason']) ?? asText(choice['matched_stop']);
}

/** The provider's word in ours. Some say `stop`, nothing or a word of their own after tool calls: the content decides. */
export function decodeFinish(word: unknown, hasToolCalls: boolean, stopSequence?: string): FinishReason {
  const upstream = typeof word === 'string' && word !== '' ? word : null;
  const reported = upstream === null ? undefined : UNIFIED[upstream.toLowerCase()];
  if (hasToolCalls && (reported === undefined || reported === 'stop')) return { unified: 'tool-calls', upstream };
  const sequence = stopSequence === undefined ? {} : { stopSequence };
  if (reported === undefined && upstream !== null) return { unified: 'stop', upstream, isNearest: true, ...sequence };
  return { unified: reported ?? 'stop', upstream, ...sequence };
}
