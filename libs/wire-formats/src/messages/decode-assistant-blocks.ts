import { stringifyExactJson, type ContentBlock, type OpaqueState, type WebSearchBlock, type WebSearchResult } from '@weir/canonical';
import { decodeCacheMark } from '../fields/decode-cache-mark';
import { dropAbsent } from '../fields/drop-absent';
import {
  findObject,
  findString,
  isObject,
  readArray,
  readName,
  readObject,
  readString,
  refuseField,
  type JsonObject,
} from '../fields/field-readers';
import { attachToolStates } from '../state/attach-tool-states';
import { MESSAGES_FAMILY } from '../state/native-family';
import { decodeStateTag, type TaggedState } from '../state/state-tag';
import { isToolSearch } from './decode-tools';
import { decodeTextBlock, decodeUserBlock } from './decode-user-blocks';

/** What only the dialect's own providers understand: results of the tools they run. */
const HOSTED_RESULT = /^[a-z_]+_tool_result$|^container_upload$|^compaction$/;

/** The blocks of an assistant message of the history, in their order. */
export function decodeAssistantBlocks(entries: readonly unknown[], path: string): ContentBlock[] {
  const toolStates = new Map<string, OpaqueState>();
  const blocks: ContentBlock[] = [];
  entries.forEach((entry, index) => {
    const field = `${path}[${index}]`;
    const block = readObject(entry, field);
    if (block['type'] === 'thinking' || block['type'] === 'redacted_thinking') addThinking(blocks, { block, path: field, toolStates });
    else if (block['type'] === 'web_search_tool_result') addSearchResult(blocks, block, field);
    else if (!isFoundTools(block)) blocks.push(decodeBlock(block, field));
  });
  return attachToolStates(blocks, toolStates);
}

/** A search of the provider's among the tools, or what it found: all of them are offered from the beginning. */
function isFoundTools({ type, name }: JsonObject): boolean {
  return type === 'tool_search_tool_result' || (type === 'server_tool_use' && isToolSearch({ type: name }));
}

function decodeBlock(block: JsonObject, path: string): ContentBlock {
  const type = block['type'];
  if (type === 'text') return decodeTextBlock(block, path);
  if (type === 'tool_use') return decodeToolUse(block, path);
  if (type === 'server_tool_use') return decodeServerToolUse(block, path);
  if (type === 'image' || type === 'document') return decodeUserBlock(block, path);
  if (typeof type === 'string' && HOSTED_RESULT.test(type)) return { type: 'opaque', family: MESSAGES_FAMILY, raw: block };
  return refuseField(`${path}.type`, `${JSON.stringify(type ?? null)} is not a content type of assistant messages this endpoint knows`);
}

function decodeToolUse(block: JsonObject, path: string): ContentBlock {
  return {
    type: 'tool-call',
    id: readName(block['id'], `${path}.id`),
    name: readName(block['name'], `${path}.name`),
    kind: 'function',
    argumentsText: stringifyExactJson(findObject(block, 'input', path) ?? {}),
    ...dropAbsent({ cache: decodeCacheMark(block, path) }),
  };
}

type Thinking = { readonly block: JsonObject; readonly path: string; readonly toolStates: Map<string, OpaqueState> };

function addThinking(blocks: ContentBlock[], thinking: Thinking): void {
  const { text, tagged } = thinking.block['type'] === 'thinking' ? readThinking(thinking) : readRedacted(thinking);
  if (tagged?.toolCallId !== undefined) {
    thinking.toolStates.set(tagged.toolCallId, tagged.state);
    return;
  }
  if (text === '' && tagged === undefined) return;
  // A provider that encrypts reasoning shows a summary of it; one that signs it shows the text that is signed.
  const isSummary = text !== '' && tagged?.state.kind === 'encrypted' ? true : undefined;
  blocks.push({ type: 'reasoning', text, ...dropAbsent({ isSummary, state: tagged?.state }) });
}

type ReadThinking = { readonly text: string; readonly tagged: TaggedState | undefined };

function readThinking({ block, path }: Thinking): ReadThinking {
  const signature = findString(block, 'signature', path) ?? '';
  const tagged = decodeStateTag(signature, { family: MESSAGES_FAMILY, kind: 'signature' });
  return { text: readString(block['thinking'], `${path}.thinking`), tagged };
}

function readRedacted({ block, path }: Thinking): ReadThinking {
  const data = readString(block['data'], `${path}.data`);
  return { text: '', tagged: decodeStateTag(data, { family: MESSAGES_FAMILY, kind: 'redacted' }) };
}

function decodeServerToolUse(block: JsonObject, path: string): ContentBlock {
  const id = readName(block['id'], `${path}.id`);
  if (readName(block['name'], `${path}.name`) !== 'web_search') return { type: 'opaque', family: MESSAGES_FAMILY, raw: block };
  const query = findObject(block, 'input', path)?.['query'];
  return { type: 'web-search', id, query: typeof query === 'string' ? query : '', results: [] };
}

/** A search and its result are one block in our language. */
function addSearchResult(blocks: ContentBlock[], block: JsonObject, path: string): void {
  const id = readName(block['tool_use_id'], `${path}.tool_use_id`);
  const at = blocks.findLastIndex((candidate) => candidate.type === 'web-search' && candidate.id === id);
  if (at === -1) return refuseField(`${path}.tool_use_id`, 'names no server_tool_use block of this message');
  const search = blocks[at] as WebSearchBlock;
  const content = block['content'];
  if (isObject(content)) {
    blocks[at] = { ...search, errorCode: findString(content, 'error_code', `${path}.content`) ?? 'unavailable' };
    return;
  }
  const results = readArray(content, `${path}.content`).map((result, index) => decodeResult(result, `${path}.content[${index}]`));
  blocks[at] = { ...search, results };
}

function decodeResult(value: unknown, path: string): WebSearchResult {
  const result = readObject(value, path);
  const blob = findString(result, 'encrypted_content', path) ?? '';
  return {
    url: readString(result['url'], `${path}.url`),
    title: findString(result, 'title', path) ?? '',
    ...dropAbsent({
      age: findString(result, 'page_age', path),
      state: decodeStateTag(blob, { family: MESSAGES_FAMILY, kind: 'encrypted' })?.state,
    }),
  };
}
