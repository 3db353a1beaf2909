import type { ChatTurn, ContentBlock } from '@weir/canonical';
import { decodeCacheMark } from '../fields/decode-cache-mark';
import { dropAbsent } from '../fields/drop-absent';
import { findString, readArray, readName, readObject, readString, refuseField, type JsonObject } from '../fields/field-readers';
import { decodeAssistantContent } from './decode-assistant';
import { decodeChatContent } from './decode-parts';

type Draft = { turns: ChatTurn[]; results: ContentBlock[] | undefined; legacyCalls: string[] };

export function decodeChatMessages(value: unknown): ChatTurn[] {
  const messages = readArray(value, 'messages');
  if (messages.length === 0) return refuseField('messages', 'must hold at least one message');
  const draft: Draft = { turns: [], results: undefined, legacyCalls: [] };
  messages.forEach((message, index) => addMessage(draft, readObject(message, `messages[${index}]`), `messages[${index}]`));
  return draft.turns;
}

function addMessage(draft: Draft, message: JsonObject, path: string): void {
  const role = message['role'];
  if (role === 'tool' || role === 'function') return addResult(draft, message, path);
  draft.results = undefined;
  const name = findString(message, 'name', path);
  if (role === 'assistant') {
    const content = decodeAssistantContent(message, path);
    if (message['function_call'] !== undefined) rememberLegacyCall(draft, content);
    draft.turns.push({ role, content, ...dropAbsent({ name }) });
    return;
  }
  if (role !== 'user' && role !== 'system' && role !== 'developer') {
    return refuseField(`${path}.role`, 'must be "system", "developer", "user", "assistant" or "tool"');
  }
  const content = decodeChatContent(message['content'], `${path}.content`);
  draft.turns.push(name === undefined ? { role, content } : { role, content, name });
}

/** Neighbouring results share one turn. */
function addResult(draft: Draft, message: JsonObject, path: string): void {
  const isLegacy = message['role'] === 'function';
  const toolCallId = isLegacy ? takeLegacyCall(draft, message, path) : readName(message['tool_call_id'], `${path}.tool_call_id`);
  const content = isLegacy && message['content'] === null ? [] : decodeChatContent(message['content'], `${path}.content`);
  if (draft.results === undefined) {
    draft.results = [];
    draft.turns.push({ role: 'tool', content: draft.results });
  }
  draft.results.push({ type: 'tool-result', toolCallId, content, ...dropAbsent({ cache: decodeCacheMark(message, path) }) });
}

function rememberLegacyCall(draft: Draft, content: readonly ContentBlock[]): void {
  for (const block of content) if (block.type === 'tool-call') draft.legacyCalls.push(block.id);
}

/** The old form has no ids: a result belongs to the last call of its function. */
function takeLegacyCall(draft: Draft, message: JsonObject, path: string): string {
  readString(message['name'], `${path}.name`);
  return draft.legacyCalls.pop() ?? refuseField(path, 'is the result of a function call that no assistant message made');
}
