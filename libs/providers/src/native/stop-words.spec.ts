import type { FinishReason } from '@weir/canonical';
import { decodeFinish as ofChat } from '../openai-compatible/decode-finish';
import { decodeFinish as ofAnthropic } from './anthropic/decode-finish';
import { decodeFinish as ofBedrock } from './bedrock/decode-finish';
import { decodeFinish as ofCohere, isFailure } from './cohere/decode-finish';
import { decodeFinish as ofGoogle, findBreakdown } from './google/decode-finish';
import { decodeFinish as ofResponses } from './openai-responses/decode-items';

/** Every word that the vendors publish; those that are failures end a reply as an error. */
const VENDORS: readonly [string, readonly string[], (word: string) => FinishReason, (word: string) => boolean][] = [
  [
    'chat completions',
    [
      ...['stop', 'length', 'tool_calls', 'function_call', 'content_filter'],
      ...['eos', 'model_length', 'model_context_window_exceeded', 'sensitive'],
      ...['error', 'insufficient_system_resource', 'network_error', 'abort'],
    ],
    (word) => ofChat(word, false),
    (word) => ofChat(word, false).unified === 'error',
  ],
  [
    'anthropic',
    ['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'compaction', 'refusal', 'model_context_window_exceeded'],
    (word) => ofAnthropic({ stop_reason: word }, false),
    () => false,
  ],
  [
    'bedrock',
    [
      ...['end_turn', 'tool_use', 'max_tokens', 'stop_sequence', 'guardrail_intervened', 'content_filtered'],
      ...['malformed_model_output', 'malformed_tool_use', 'model_context_window_exceeded'],
    ],
    (word) => ofBedrock({ stopReason: word }, { hasToolCalls: false, hasAnswer: false }),
    (word) => ofBedrock({ stopReason: word }, { hasToolCalls: false, hasAnswer: false }).unified === 'error',
  ],
  [
    'cohere',
    ['COMPLETE', 'STOP_SEQUENCE', 'MAX_TOKENS', 'TOOL_CALL', 'ERROR', 'TIMEOUT', 'ERROR_TOXIC', 'ERROR_LIMIT', 'USER_CANCEL'],
    (word) => ofCohere(word, false),
    isFailure,
  ],
  [
    'google',
    [
      ...['STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'MODEL_ARMOR'],
      ...['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MISSING_THOUGHT_SIGNATURE', 'MALFORMED_RESPONSE'],
      ...['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION'],
    ],
    (word) => ofGoogle({ finishReason: word }, false),
    (word) => findBreakdown({ finishReason: word }) !== undefined,
  ],
  [
    'responses',
    ['max_output_tokens', 'content_filter'],
    (reason) => ofResponses({ status: 'incomplete', incomplete_details: { reason } }, false),
    () => false,
  ],
];

const WORDS = VENDORS.flatMap(([vendor, words, decode, fails]) => words.map((word) => [vendor, word, decode, fails] as const));

it.each(WORDS)('%s: %s has a word here, or is a failure', (_, word, decode, fails) => {
  if (!fails(word)) expect(decode(word).isNearest).toBeUndefined();
});

it.each(VENDORS)('%s: a word that is new is known to be no ordinary end', (_, _words, decode) => {
  expect(decode('brand_new')).toMatchObject({ upstream: 'brand_new', isNearest: true });
});

it.each(['OTHER', 'NO_IMAGE', 'IMAGE_OTHER', 'FINISH_REASON_UNSPECIFIED'])('google: %s means what no other word does', (word) => {
  expect(ofGoogle({ finishReason: word }, false)).toMatchObject({ unified: 'stop', upstream: word, isNearest: true });
});
