import type { ChatTurn, ContentBlock, OpaqueState } from '@weir/canonical';
import { readArray, readName, readObject, refuseField, type JsonObject } from '../fields/field-readers';
import { attachToolStates } from '../state/attach-tool-states';
import { RESPONSES_FAMILY } from '../state/native-family';
import { decodeAssistantItem } from './decode-assistant-item';
import { decodeResponsesContent } from './decode-parts';
import { decodeItemTools } from './decode-tools';
import { bringsTools, isSearchByCaller } from './tool-namespace';

type Draft = { readonly turns: ChatTurn[]; open: { role: 'assistant' | 'tool'; content: ContentBlock[] } | undefined };

/** Items of the dialect's own providers that ride along unread. */
const HOSTED_CALL =
  /^(?:(?:file_search|computer|image_generation|code_interpreter|local_shell|shell|apply_patch|mcp)_call|mcp_list_tools|mcp_approval_request|compaction|program)$/;
const HOSTED_OUTPUT = /^(?:(?:computer|local_shell|shell|apply_patch)_call_output|mcp_approval_response|program_output)$/;

/** `input`: one text, or items. What the model did in one go, several items here, becomes one assistant turn. */
export function decodeResponsesInput(input: unknown): ChatTurn[] {
  if (typeof input === 'string') return [{ role: 'user', content: [{ type: 'text', text: input }] }];
  const items = readArray(input, 'input');
  if (items.length === 0) return refuseField('input', 'must hold at least one item');
  const draft: Draft = { turns: [], open: undefined };
  const toolStates = new Map<string, OpaqueState>();
  items.forEach((item, index) => addItem(draft, { item: readObject(item, `input[${index}]`), path: `input[${index}]`, toolStates }));
  if (toolStates.size === 0) return draft.turns;
  return draft.turns.map((turn) =>
    turn.role === 'assistant' ? { ...turn, content: attachToolStates([...turn.content], toolStates) } : turn,
  );
}

type Entry = { readonly item: JsonObject; readonly path: string; readonly toolStates: Map<string, OpaqueState> };

function addItem(draft: Draft, entry: Entry): void {
  const { item, path } = entry;
  const type = item['type'] ?? (item['role'] === undefined ? 'item_reference' : 'message');
  if (type === 'message') return addMessage(draft, item, path);
  if (type === 'function_call_output' || type === 'custom_tool_call_output') return addOutput(draft, item, path);
  if (type === 'item_reference') {
    return refuseField(path, 'refers to a stored item, and nothing is stored here: send the item itself, as SDKs do with "store": false');
  }
  if (bringsTools(item)) return addTools(draft, item, path);
  const blocks = decodeAssistantItem(item, path, entry.toolStates);
  if (blocks !== undefined) {
    // An item of which nothing goes on begins no turn.
    if (blocks.length > 0) openTurn(draft, 'assistant').push(...blocks);
  } else if (HOSTED_CALL.test(String(type))) {
    openTurn(draft, 'assistant').push({ type: 'opaque', family: RESPONSES_FAMILY, raw: item });
  } else if (HOSTED_OUTPUT.test(String(type))) {
    draft.open = undefined;
    draft.turns.push({ role: 'user', content: [{ type: 'opaque', family: RESPONSES_FAMILY, raw: item }] });
  } else {
    refuseField(`${path}.type`, `${JSON.stringify(type)} is not an item type this endpoint knows`);
  }
}

function openTurn(draft: Draft, role: 'assistant' | 'tool'): ContentBlock[] {
  if (draft.open?.role !== role) {
    draft.open = { role, content: [] };
    draft.turns.push(draft.open);
  }
  return draft.open.content;
}

function addMessage(draft: Draft, item: JsonObject, path: string): void {
  const role = item['role'];
  const content = decodeResponsesContent(item['content'], `${path}.content`);
  if (role === 'assistant') {
    openTurn(draft, 'assistant').push(...content);
  } else if (role === 'user' || role === 'system' || role === 'developer') {
    draft.open = undefined;
    draft.turns.push({ role, content });
  } else {
    refuseField(`${path}.role`, 'must be "user", "assistant", "system" or "developer"');
  }
}

/**
 * Tools are offered with those of the request, from the beginning. To a search that the caller made they are the result, by the names
 * that the model knows.
 */
function addTools(draft: Draft, item: JsonObject, path: string): void {
  const names = decodeItemTools(item, path).flatMap((tool) => ('name' in tool ? [tool.name] : []));
  if (item['type'] !== 'tool_search_output' || !isSearchByCaller(item)) return;
  const toolCallId = readName(item['call_id'], `${path}.call_id`);
  const text = JSON.stringify({ tools: names });
  openTurn(draft, 'tool').push({ type: 'tool-result', toolCallId, content: [{ type: 'text', text }] });
}

function addOutput(draft: Draft, item: JsonObject, path: string): void {
  const toolCallId = readName(item['call_id'], `${path}.call_id`);
  const content = decodeResponsesContent(item['output'], `${path}.output`);
  openTurn(draft, 'tool').push({ type: 'tool-result', toolCallId, content });
}
