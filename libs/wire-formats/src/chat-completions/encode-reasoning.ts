import type { OpaqueState, ReasoningBlock } from '@weir/canonical';
import { CHAT_FAMILY } from '../state/native-family';
import { encodeStateTag } from '../state/state-tag';

/** One entry of `reasoning_details`: what the caller sends back so that the provider finds its own reasoning again. */
export function encodeReasoningDetail(block: ReasoningBlock, index: number): Record<string, unknown> {
  const blob = block.state === undefined ? undefined : encodeStateTag({ state: block.state }, CHAT_FAMILY);
  if (block.text === '' && blob !== undefined) return { type: 'reasoning.encrypted', data: blob, index };
  const signature = blob === undefined ? {} : { signature: blob };
  if (block.isSummary === true) return { type: 'reasoning.summary', summary: block.text, ...signature, index };
  return { type: 'reasoning.text', text: block.text, ...signature, index };
}

/** State that belongs to a tool call and not to any reasoning. */
export function encodeToolStateDetail(toolCallId: string, state: OpaqueState, index: number): Record<string, unknown> {
  return { type: 'reasoning.encrypted', id: toolCallId, data: encodeStateTag({ state, toolCallId }, CHAT_FAMILY), index };
}
