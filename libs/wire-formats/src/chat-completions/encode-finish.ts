import type { FinishReason } from '@weir/canonical';

const WORDS: Record<FinishReason['unified'], string> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'context-full': 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  pause: 'stop',
  error: 'stop',
};

/** The name of the loss where there are more calls than one, which is all that the older form can hold. */
export const CALLS_DROPPED = 'reply.tool_calls';

/** Callers that sent `functions` get the older finish reason for calls. */
export function encodeChatFinish(finish: FinishReason, isLegacy: boolean): string {
  return isLegacy && finish.unified === 'tool-calls' ? 'function_call' : WORDS[finish.unified];
}

/** The provider's own word, where none of the dialect's means that; by the name that OpenRouter gave it. */
export function nameNative({ isNearest, upstream }: FinishReason): { native_finish_reason?: string } {
  return isNearest === true && upstream !== null ? { native_finish_reason: upstream } : {};
}

/** Whether the caller speaks of functions in the older way, without tools. */
export function usesLegacyFunctions(body: Record<string, unknown>): boolean {
  return Array.isArray(body['functions']) && !Array.isArray(body['tools']);
}
