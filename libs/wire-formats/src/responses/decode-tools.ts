import type { Tool } from '@weir/canonical';
import { decodeCustomTool, decodeFunctionTool } from '../fields/decode-function-tool';
import { decodeWebSearchTool } from '../fields/decode-web-search-tool';
import { findArray, readArray, readName, readObject, refuseField, type JsonObject } from '../fields/field-readers';
import { RESPONSES_FAMILY } from '../state/native-family';
import { flattenName } from './tool-namespace';

/** Tools that the dialect's own providers run. */
// prettier-ignore
const HOSTED: ReadonlySet<unknown> = new Set([
  'file_search', 'computer', 'computer_use', 'computer_use_preview', 'mcp', 'code_interpreter', 'image_generation', 'local_shell', 'shell',
  'apply_patch', 'tool_search', 'programmatic_tool_calling',
]);

const WEB_SEARCH = /^web_search(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?$/;

export function decodeResponsesTools(body: JsonObject): Tool[] | undefined {
  return findArray(body, 'tools')?.flatMap((tool, index) => decodeTool(readObject(tool, `tools[${index}]`), `tools[${index}]`));
}

function decodeTool(tool: JsonObject, path: string): Tool[] {
  const type = tool['type'];
  if (type === 'function') return [decodeFunctionTool(tool, path)];
  if (type === 'custom') return [decodeCustomTool(tool, path)];
  if (type === 'namespace') return decodeNamespace(tool, path);
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
