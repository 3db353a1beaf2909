import type { Tool } from '@weir/canonical';
import { decodeCacheMark } from '../fields/decode-cache-mark';
import { decodeWebSearchTool } from '../fields/decode-web-search-tool';
import { dropAbsent } from '../fields/drop-absent';
import {
  findArray,
  findBoolean,
  findObject,
  findString,
  readName,
  readObject,
  refuseField,
  type JsonObject,
} from '../fields/field-readers';
import { MESSAGES_FAMILY } from '../state/native-family';

/** Tools that the dialect's own providers run carry the day of their version in their type. */
const DATED = /^[a-z][a-z0-9_]*_\d{8}$/;
const WEB_SEARCH = /^web_search_\d{8}$/;
/** A search among the tools. All are offered from the beginning, so there is none to make; the newest version has no day. */
const TOOL_SEARCH = /^tool_search_tool_(?:regex|bm25)(?:_\d{8})?$/;

export function decodeMessagesTools(body: JsonObject): Tool[] | undefined {
  return findArray(body, 'tools')?.flatMap((tool, index) => decodeTool(readObject(tool, `tools[${index}]`), `tools[${index}]`));
}

/** Whether a tool of the request is a search among the others. */
export function isToolSearch({ type }: JsonObject): boolean {
  return typeof type === 'string' && TOOL_SEARCH.test(type);
}

function decodeTool(tool: JsonObject, path: string): Tool | readonly Tool[] {
  const type = findString(tool, 'type', path) ?? 'custom';
  if (type === 'custom') return decodeCustom(tool, path);
  if (isToolSearch(tool)) return [];
  if (WEB_SEARCH.test(type)) return decodeWebSearchTool(tool, path);
  if (DATED.test(type)) return { kind: 'hosted', family: MESSAGES_FAMILY, type, raw: tool };
  return refuseField(`${path}.type`, `${JSON.stringify(type)} is not a tool type this endpoint knows: leave it out for your own tools`);
}

function decodeCustom(tool: JsonObject, path: string): Tool {
  return {
    kind: 'function',
    name: readName(tool['name'], `${path}.name`),
    ...dropAbsent({
      description: findString(tool, 'description', path),
      parameters: findObject(tool, 'input_schema', path),
      isStrict: findBoolean(tool, 'strict', path),
      cache: decodeCacheMark(tool, path),
    }),
  };
}
