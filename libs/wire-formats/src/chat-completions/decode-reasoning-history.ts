import type { ContentBlock, OpaqueState, ReasoningBlock } from '@weir/canonical';
import { dropAbsent } from '../fields/drop-absent';
import { findArray, findString, readObject, type JsonObject } from '../fields/field-readers';
import { CHAT_FAMILY } from '../state/native-family';
import { decodeStateTag } from '../state/state-tag';

/**
 * Reasoning comes back as plain text (`reasoning_content`, `reasoning`) and, from callers that keep it, as
 * `reasoning_details` with the provider's state. State of tool calls is put into `toolStates`.
 */
export function decodeReasoningHistory(message: JsonObject, path: string, toolStates: Map<string, OpaqueState>): ContentBlock[] {
  const text = findString(message, 'reasoning_content', path) ?? findString(message, 'reasoning', path) ?? '';
  const details = findArray(message, 'reasoning_details', path);
  if (details === undefined) return text === '' ? [] : [{ type: 'reasoning', text }];
  const blocks: ReasoningBlock[] = [];
  details.forEach((detail, index) => {
    const field = `${path}.reasoning_details[${index}]`;
    const block = decodeDetail(readObject(detail, field), field, toolStates);
    if (block !== undefined) blocks.push(block);
  });
  return withPlainText(blocks, text);
}

function decodeDetail(detail: JsonObject, path: string, toolStates: Map<string, OpaqueState>): ReasoningBlock | undefined {
  const text = findString(detail, 'text', path) ?? findString(detail, 'summary', path) ?? '';
  const isSummary = detail['type'] === 'reasoning.summary' ? true : undefined;
  const isEncrypted = detail['type'] === 'reasoning.encrypted';
  const blob = findString(detail, isEncrypted ? 'data' : 'signature', path) ?? '';
  const tagged = decodeStateTag(blob, { family: CHAT_FAMILY, kind: isEncrypted ? 'encrypted' : 'signature' });
  if (tagged?.toolCallId !== undefined) {
    toolStates.set(tagged.toolCallId, tagged.state);
    return undefined;
  }
  if (text === '' && tagged === undefined) return undefined;
  return { type: 'reasoning', text, ...dropAbsent({ isSummary, state: tagged?.state }) };
}

/** The plain text repeats what the details say, unless they hold state only. */
function withPlainText(blocks: ReasoningBlock[], text: string): ReasoningBlock[] {
  if (text === '' || blocks.some((block) => block.text !== '')) return blocks;
  const target = blocks.findIndex((block) => block.state?.kind !== 'redacted');
  if (target === -1) return [{ type: 'reasoning', text }, ...blocks];
  return blocks.map((block, index) => (index === target ? { ...block, text } : block));
}
