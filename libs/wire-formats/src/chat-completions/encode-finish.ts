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

/** How the loss of calls is told that the older form, which has room for one, cannot say. */
export const CALLS_DROPPED = 'reply.tool_calls';

/** Callers that sent `functions` are told of calls in the older word. */
export function encodeChatFinish(finish: FinishReason, isLegacy: boolean): string {
  return isLegacy && finish.unified === 'tool-calls' ? 'function_call' : WORDS[finish.unified];
}

/** Whether the caller speaks of functions in the older way, without tools. */
export function usesLegacyFunctions(body: Record<string, unknown>): boolean {
  return Array.isArray(body['functions']) && !Array.isArray(body['tools']);
}
