import { createOriginalBody, readMember, type OriginalBody } from '@weir/canonical';
import type { HistoryRule } from '@weir/providers';
import { decodeStateTag, type TaggedState } from '@weir/wire-formats';
import type { CleanedBody, CallerBody } from './caller-body';
import { editElements, editObject, listRecords, type Change, type EditedArray, type Json } from './edit-elements';
import { stopThinking } from './stop-thinking';

type Cleaning = HistoryRule & {
  readonly dropped: Set<string>;
  /** Whether a block of thinking was left out, even an empty one. */
  isThinkingGone: boolean;
};

const TAG = 'gw1:';
const NATIVE = { family: 'messages', kind: 'signature' } as const;

/** Cleans the history of a Messages body; undefined when there is nothing to do. */
export function cleanMessages({ body, json }: CallerBody, rule: HistoryRule): CleanedBody | undefined {
  if (!mayHoldForeign(body.outline, rule) || !listRecords(json['messages']).some((message) => holdsForeign(message, rule)))
    return undefined;
  const cleaning: Cleaning = { ...rule, dropped: new Set(), isThinkingGone: false };
  const clean = (message: Json, text: string): Change => cleanMessage(message, text, cleaning);
  const messages = editElements(readMember(body, 'messages') ?? '', clean, json['messages']);
  if (messages?.isChanged !== true) return undefined;
  const stopped = cleaning.isThinkingGone ? stopThinking({ body, json }, messages.text) : {};
  const text = editObject(body.text, { messages: messages.text, ...stopped });
  return { body: createOriginalBody(text) as OriginalBody, dropped: [...cleaning.dropped], approximated: Object.keys(stopped) };
}

/** A plain text search, because most bodies hold nothing of the kind. It may find too much. */
function mayHoldForeign(text: string, { needsState }: HistoryRule): boolean {
  return text.includes(TAG) || (needsState && (text.includes('""') || text.includes('"thinking"')));
}

function holdsForeign({ role, content }: Json, rule: HistoryRule): boolean {
  return role === 'assistant' && listRecords(content).some((block) => isForeign(block, rule));
}

function isForeign({ type, signature, data, content, citations }: Json, rule: HistoryRule): boolean {
  switch (type) {
    case 'thinking':
      return !isOwn(signature, rule);
    case 'redacted_thinking':
      return !isOwn(data, rule);
    case 'web_search_tool_result':
      return listRecords(content).some((page) => !isOwn(page['encrypted_content'], rule));
    default:
      return type === 'text' && listRecords(citations).some((citation) => isOfPage(citation) && !isOwn(citation['encrypted_index'], rule));
  }
}

function isOfPage({ type }: Json): boolean {
  return type === 'web_search_result_location';
}

function cleanMessage(message: Json, text: string, cleaning: Cleaning): Change {
  if (!holdsForeign(message, cleaning)) return 'keep';
  const content = cleanContent(readMember(createOriginalBody(text) as OriginalBody, 'content') ?? '', message['content'], cleaning);
  if (content?.isChanged !== true) return 'keep';
  return content.isEmpty ? 'leave-out' : { text: editObject(text, { content: content.text }) };
}

function cleanContent(content: string, blocks: unknown, cleaning: Cleaning): EditedArray | undefined {
  const searches = listRecords(blocks).filter(({ type }) => type === 'web_search_tool_result');
  const lost = new Set(searches.filter((search) => isForeign(search, cleaning)).map((search) => search['tool_use_id']));
  if (lost.size > 0) cleaning.dropped.add('messages.web-search');
  const clean = (block: Json, text: string): Change => {
    switch (block['type']) {
      case 'thinking':
      case 'redacted_thinking':
        return cleanThinking(block, text, cleaning);
      case 'server_tool_use':
        return lost.has(block['id']) ? 'leave-out' : 'keep';
      case 'web_search_tool_result':
        return lost.has(block['tool_use_id']) ? 'leave-out' : 'keep';
      case 'text':
        return cleanCitations(text, { ...cleaning, keepsPages: lost.size < Math.max(1, searches.length) });
      default:
        return 'keep';
    }
  };
  return editElements(content, clean, blocks);
}

/** True for state that the provider gave itself, and for absent state where it demands none. */
function isOwn(state: unknown, { needsState }: HistoryRule): boolean {
  if (typeof state !== 'string' || state === '') return !needsState;
  return !state.startsWith(TAG);
}

/** State in a tag of the gateway becomes the provider's own again, if it is the provider that gave it. */
function cleanThinking(block: Json, text: string, cleaning: Cleaning): Change {
  const state = block[block['type'] === 'thinking' ? 'signature' : 'data'];
  if (isOwn(state, cleaning)) return 'keep';
  const tagged = typeof state === 'string' ? decodeStateTag(state, NATIVE) : undefined;
  if (tagged?.toolCallId === undefined && tagged?.state.family === cleaning.family) {
    const value = JSON.stringify(tagged.state.value);
    return {
      text: tagged.state.kind === 'redacted' ? `{"type":"redacted_thinking","data":${value}}` : editObject(text, { signature: value }),
    };
  }
  cleaning.isThinkingGone = true;
  if (isLoss(block, tagged)) cleaning.dropped.add('messages.reasoning');
  return 'leave-out';
}

/** Dropping state that belongs to a tool call is no loss, nor is dropping an empty block. */
function isLoss({ thinking }: Json, tagged: TaggedState | undefined): boolean {
  return tagged === undefined ? Boolean(thinking) : tagged.toolCallId === undefined;
}

/** A citation of a web page is kept only with the provider's own state, and only beside the search that found it. */
function cleanCitations(text: string, { keepsPages, dropped, ...rule }: Cleaning & { readonly keepsPages: boolean }): Change {
  const reported = readMember(createOriginalBody(text) as OriginalBody, 'citations');
  const isKept = (citation: Json): boolean => !isOfPage(citation) || (keepsPages && isOwn(citation['encrypted_index'], rule));
  const citations = reported === undefined ? undefined : editElements(reported, (citation) => (isKept(citation) ? 'keep' : 'leave-out'));
  if (citations?.isChanged !== true) return 'keep';
  dropped.add('messages.citations');
  return { text: editObject(text, { citations: citations.isEmpty ? undefined : citations.text }) };
}
