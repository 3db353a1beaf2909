import type { FinishReason, UnifiedFinish } from '@weir/canonical';
import { cleanText } from '../../failures/clean-text';
import { asRecord, asText, type JsonRecord } from '../../wire/json-value';

const UNIFIED: Readonly<Record<string, UnifiedFinish>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  LANGUAGE: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
  MODEL_ARMOR: 'content-filter',
};

/** The model wrote a call that is none, and there is no answer besides: asked again it may do better. */
const BROKEN: ReadonlySet<unknown> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
]);

/** Why a candidate broke down rather than finished; undefined for one that did finish. */
export function findBreakdown(candidate: JsonRecord): string | undefined {
  if (!BROKEN.has(candidate['finishReason'])) return undefined;
  return cleanText(asText(candidate['finishMessage']) ?? '') || `The model broke its answer off: ${String(candidate['finishReason'])}.`;
}

/** The provider says STOP after calls too: the content decides. */
export function decodeFinish(candidate: JsonRecord, hasToolCalls: boolean): FinishReason {
  const upstream = asText(candidate['finishReason']) ?? null;
  const known = UNIFIED[upstream ?? ''];
  const unified = known ?? 'stop';
  const explanation = asText(candidate['finishMessage']);
  return {
    unified: unified === 'stop' && hasToolCalls ? 'tool-calls' : unified,
    upstream,
    ...(known === undefined && upstream !== null ? { isNearest: true } : {}),
    ...(explanation === undefined ? {} : { explanation }),
  };
}

/** A prompt that was blocked has no candidates, only a reason. */
export function findBlockedPrompt(reply: JsonRecord): FinishReason | undefined {
  const feedback = asRecord(reply['promptFeedback']);
  const upstream = asText(feedback?.['blockReason']);
  if (upstream === undefined) return undefined;
  const explanation = asText(feedback?.['blockReasonMessage']);
  return { unified: 'content-filter', upstream, ...(explanation === undefined ? {} : { explanation }) };
}
