import { stringifyExactJson, type ContentBlock, type OpaqueState } from '@weir/canonical';
import { dropAbsent } from '../fields/drop-absent';
import { findArray, findObject, findString, isObject, readName, readObject, readString, type JsonObject } from '../fields/field-readers';
import { RESPONSES_FAMILY } from '../state/native-family';
import { decodeStateTag } from '../state/state-tag';
import { readToolName } from './decode-tool-choice';
import { isSearchByCaller, TOOL_SEARCH } from './tool-namespace';

/** What the model did besides speaking. Undefined for items that are not of this kind. */
export function decodeAssistantItem(item: JsonObject, path: string, toolStates: Map<string, OpaqueState>): ContentBlock[] | undefined {
  switch (item['type']) {
    case 'function_call':
      return [decodeCall(item, path, readString(item['arguments'], `${path}.arguments`))];
    case 'custom_tool_call':
      return [{ ...decodeCall(item, path, readString(item['input'], `${path}.input`)), kind: 'custom' }];
    case 'tool_search_call':
      return isSearchByCaller(item) ? [decodeToolSearch(item, path)] : [];
    case 'reasoning':
      return decodeReasoningItem(item, path, toolStates);
    case 'web_search_call':
      return [decodeSearch(item, path)];
    default:
      return undefined;
  }
}

function decodeCall(item: JsonObject, path: string, argumentsText: string) {
  return {
    type: 'tool-call' as const,
    id: readName(item['call_id'], `${path}.call_id`),
    name: readToolName(item, path),
    kind: 'function' as const,
    argumentsText,
  };
}

function decodeToolSearch(item: JsonObject, path: string): ContentBlock {
  const { arguments: asked } = item;
  const argumentsText = typeof asked === 'string' ? asked : stringifyExactJson(asked ?? {});
  return { type: 'tool-call', id: readName(item['call_id'], `${path}.call_id`), name: TOOL_SEARCH, kind: 'function', argumentsText };
}

/** An item that holds neither text nor state only points to something stored elsewhere: there is nothing to send on. */
function decodeReasoningItem(item: JsonObject, path: string, toolStates: Map<string, OpaqueState>): ContentBlock[] {
  const summary = joinTexts(item, 'summary', path);
  const text = joinTexts(item, 'content', path) || summary;
  const blob = findString(item, 'encrypted_content', path) ?? '';
  const tagged = decodeStateTag(blob, { family: RESPONSES_FAMILY, kind: 'encrypted' });
  if (tagged?.toolCallId !== undefined) {
    toolStates.set(tagged.toolCallId, tagged.state);
    return [];
  }
  if (text === '' && tagged === undefined) return [];
  const isSummary = summary !== '' && text === summary ? true : undefined;
  return [{ type: 'reasoning', text, ...dropAbsent({ isSummary, state: tagged?.state }) }];
}

function joinTexts(item: JsonObject, key: 'summary' | 'content', path: string): string {
  const parts = findArray(item, key, path) ?? [];
  return parts
    .map((part, index) => readString(readObject(part, `${path}.${key}[${index}]`)['text'], `${path}.${key}[${index}].text`))
    .join('\n\n');
}

function decodeSearch(item: JsonObject, path: string): ContentBlock {
  const action = findObject(item, 'action', path) ?? {};
  const query = findString(action, 'query', `${path}.action`) ?? '';
  const sources = findArray(action, 'sources', `${path}.action`) ?? [];
  const results = sources.flatMap((source) =>
    isObject(source) && typeof source['url'] === 'string' ? [{ url: source['url'], title: '' }] : [],
  );
  return { type: 'web-search', id: findString(item, 'id', path) ?? 'ws_0', query, results };
}
