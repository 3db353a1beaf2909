import type { FinishReason, UnifiedFinish } from '@weir/canonical';
import { asText } from '../../wire/json-value';

const UNIFIED: Readonly<Record<string, UnifiedFinish>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop-sequence',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool-calls',
  ERROR_LIMIT: 'context-full',
  ERROR_TOXIC: 'content-filter',
};

const FAILURES: ReadonlySet<unknown> = new Set(['ERROR', 'TIMEOUT', 'USER_CANCEL']);

/** Whether the word says that the provider broke down rather than finished. */
export function isFailure(word: unknown): boolean {
  return FAILURES.has(word);
}

export function decodeFinish(word: unknown, hasToolCalls: boolean): FinishReason {
  const upstream = asText(word) ?? null;
  const known = UNIFIED[upstream ?? ''];
  const nearest = known === undefined && upstream !== null ? ({ isNearest: true } as const) : {};
  return { unified: known ?? (hasToolCalls ? 'tool-calls' : 'stop'), upstream, ...nearest };
}
