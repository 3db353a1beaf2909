import {
  stringifyExactJson,
  type ContentBlock,
  type OpaqueState,
  type TextBlock,
  type ToolCallBlock,
  type WebSearchBlock,
  type WebSearchResult,
} from '@weir/canonical';
import { appendMember } from '../reply/append-member';
import { nameOpaque } from '../reply/name-opaque';
import { PICTURES_DROPPED } from '../reply/read-picture';
import { MESSAGES_FAMILY } from '../state/native-family';
import { encodeStateTag } from '../state/state-tag';
import type { ReplyContext } from '../dialect/wire-format';
import { encodeCitation } from './encode-citation';

/** A finished block as JSON texts: none when the dialect has no word for it, two for a search and its result. */
export function encodeMessagesBlock(block: ContentBlock, noteDropped: ReplyContext['noteDropped']): string[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [encodeText(block, noteDropped)];
    case 'refusal':
      return block.text === '' ? [] : [JSON.stringify({ type: 'text', text: block.text })];
    case 'reasoning':
      return encodeThinking(block.text, block.state);
    case 'tool-call':
      return encodeToolUse(block);
    case 'web-search':
      return [stringifyExactJson(searchUse(block.id, block.query)), stringifyExactJson(searchResult(block))];
    case 'image':
      noteDropped?.(PICTURES_DROPPED);
      return [];
    case 'opaque':
      if (block.family !== MESSAGES_FAMILY) noteDropped?.(nameOpaque(block));
      return block.family === MESSAGES_FAMILY ? [stringifyExactJson(block.raw)] : [];
    default:
      return [];
  }
}

function encodeText(block: TextBlock, noteDropped: ReplyContext['noteDropped']): string {
  const citations = (block.citations ?? []).flatMap((citation) => encodeCitation(citation, block.text, noteDropped) ?? []);
  return stringifyExactJson(citations.length === 0 ? { type: 'text', text: block.text } : { type: 'text', text: block.text, citations });
}

function encodeThinking(text: string, state: OpaqueState | undefined): string[] {
  if (text === '' && state === undefined) return [];
  return [
    JSON.stringify(isRedacted(text, state) ? redactedThinking(state) : { type: 'thinking', thinking: text, signature: signatureOf(state) }),
  ];
}

/** Native redacted thinking has its own block; foreign state without text travels as a signature. */
export function isRedacted(text: string, state: OpaqueState | undefined): state is OpaqueState {
  return text === '' && state?.kind === 'redacted';
}

export function redactedThinking(state: OpaqueState): unknown {
  return { type: 'redacted_thinking', data: encodeStateTag({ state }, MESSAGES_FAMILY) };
}

export function signatureOf(state: OpaqueState | undefined): string {
  return state === undefined ? '' : encodeStateTag({ state }, MESSAGES_FAMILY);
}

/** State that belongs to a tool call travels in a thinking block before it. */
export function toolStateThinking(toolCallId: string, state: OpaqueState): { type: 'thinking'; thinking: string; signature: string } {
  return { type: 'thinking', thinking: '', signature: encodeStateTag({ state, toolCallId }, MESSAGES_FAMILY) };
}

function encodeToolUse(block: ToolCallBlock): string[] {
  const call = appendMember({ type: 'tool_use', id: block.id, name: block.name }, 'input', encodeInput(block));
  return block.state === undefined ? [call] : [JSON.stringify(toolStateThinking(block.id, block.state)), call];
}

/** The arguments keep their own text where it is a JSON object; what was cut off is kept under `_raw`. */
function encodeInput(block: ToolCallBlock): string {
  if (block.kind === 'custom') return JSON.stringify({ input: block.argumentsText });
  if (block.argumentsText.trim() === '') return '{}';
  return isJsonObject(block.argumentsText) ? block.argumentsText : JSON.stringify({ _raw: block.argumentsText });
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function searchId(id: string): string {
  return id.startsWith('srvtoolu_') ? id : `srvtoolu_${id.replace(/[^A-Za-z0-9_-]/g, '')}`;
}

export function searchUse(id: string, query: string): unknown {
  return { type: 'server_tool_use', id: searchId(id), name: 'web_search', input: query === '' ? {} : { query } };
}

export function searchResult(search: Pick<WebSearchBlock, 'id' | 'results' | 'errorCode'>): unknown {
  const content =
    search.errorCode === undefined
      ? search.results.map(encodeResult)
      : { type: 'web_search_tool_result_error', error_code: search.errorCode };
  return { type: 'web_search_tool_result', tool_use_id: searchId(search.id), content };
}

function encodeResult(result: WebSearchResult): unknown {
  return {
    type: 'web_search_result',
    url: result.url,
    title: result.title,
    encrypted_content: result.state === undefined ? '' : encodeStateTag({ state: result.state }, MESSAGES_FAMILY),
    page_age: result.age ?? null,
  };
}
