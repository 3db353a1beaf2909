import type { Tool } from '@weir/canonical';
import { decodeCustomTool, decodeFunctionTool } from '../fields/decode-function-tool';
import { decodeWebSearchTool } from '../fields/decode-web-search-tool';
import { findArray, isObject, readArray, readName, readObject, refuseField, type JsonObject } from '../fields/field-readers';
import { RESPONSES_FAMILY } from '../state/native-family';
import { bringsTools, flattenName, isSearchByCaller, TOOL_SEARCH } from './tool-namespace';

/** Tools that the dialect's own providers run. */
// prettier-ignore
const HOSTED: ReadonlySet<unknown> = new Set([
  'file_search', 'computer', 'computer_use', 'computer_use_preview', 'mcp', 'code_interpreter', 'image_generation', 'local_shell', 'shell',
  'apply_patch', 'programmatic_tool_calling',
]);

const WEB_SEARCH = /^web_search(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?$/;

/**
 * The tools of the request, and those that items of its input bring along: all are offered from the beginning, those too that a search
 * among the tools would have to find first. A tool that is defined again is as it was defined last.
 */
export function decodeResponsesTools(body: JsonObject): Tool[] | undefined {
  const listed = decodeList(findArray(body, 'tools') ?? [], 'tools');
  const brought = listItems(body).flatMap(({ item, path }) => decodeItemTools(item, path));
  if (brought.length === 0) return body['tools'] === undefined || body['tools'] === null ? undefined : listed;
  const byName = new Map<unknown, Tool>();
  for (const tool of [...listed, ...brought]) byName.set('name' in tool ? tool.name : tool, tool);
  return [...byName.values()];
}

/** The tools that an item of the input brings along. */
export function decodeItemTools(item: JsonObject, path: string): Tool[] {
  return decodeList(readArray(item['tools'], `${path}.tools`), `${path}.tools`);
}

function listItems({ input }: JsonObject): { readonly item: JsonObject; readonly path: string }[] {
  if (!Array.isArray(input)) return [];
  return (input as unknown[]).flatMap((item, index) => (isObject(item) && bringsTools(item) ? [{ item, path: `input[${index}]` }] : []));
}

function decodeList(tools: readonly unknown[], path: string): Tool[] {
  return tools.flatMap((tool, index) => decodeTool(readObject(tool, `${path}[${index}]`), `${path}[${index}]`));
}

function decodeTool(tool: JsonObject, path: string): Tool[] {
  const type = tool['type'];
  if (type === 'function') return [decodeFunctionTool(tool, path)];
  if (type === 'custom') return [decodeCustomTool(tool, path)];
  if (type === 'namespace') return decodeNamespace(tool, path);
  if (type === 'tool_search') return isSearchByCaller(tool) ? [decodeFunctionTool({ ...tool, name: TOOL_SEARCH }, path)] : [];
  if (typeof type === 'string' && WEB_SEARCH.test(type)) return [decodeWebSearchTool(tool, path)];
  if (HOSTED.has(type)) return [{ kind: 'hosted', family: RESPONSES_FAMILY, type: type as string, raw: tool }];
  return refuseField(`${path}.type`, `${JSON.stringify(type ?? null)} is not a tool type this endpoint knows`);
}

function decodeNamespace(holder: JsonObject, path: string): Tool[] {
  const namespace = readName(holder['name'], `${path}.name`);
  return readArray(holder['tools'], `${path}.tools`).map((value, index) => {
    const field = `${path}.tools[${index}]`;
    const tool = readObject(value, field);
    if (tool['type'] !== 'function' && tool['type'] !== 'custom') return refuseField(`${field}.type`, 'must be "function" or "custom"');
    const decoded = tool['type'] === 'function' ? decodeFunctionTool(tool, field) : decodeCustomTool(tool, field);
    return { ...decoded, name: flattenName({ namespace, name: decoded.name }) };
  });
}
