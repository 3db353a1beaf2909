import type { Tool, WebSearchTool } from '@weir/canonical';
import { decodeCustomTool, decodeFunctionTool } from '../fields/decode-function-tool';
import { decodeWebSearchTool } from '../fields/decode-web-search-tool';
import { findArray, findObject, readObject, refuseField, type JsonObject } from '../fields/field-readers';

/** `tools`, the older `functions`, and `web_search_options`, which is a search tool in other words. */
export function decodeChatTools(body: JsonObject): Tool[] | undefined {
  const listed = findArray(body, 'tools');
  const functions = listed === undefined ? findArray(body, 'functions') : undefined;
  const tools =
    listed?.map((tool, index) => decodeTool(tool, `tools[${index}]`)) ??
    functions?.map((legacy, index) => decodeFunctionTool(readObject(legacy, `functions[${index}]`), `functions[${index}]`));
  const options = findObject(body, 'web_search_options');
  return options === undefined ? tools : withSearch(tools ?? [], decodeWebSearchTool(options, 'web_search_options'));
}

/** Beside a search tool the options add what the tool leaves open. */
function withSearch(tools: readonly Tool[], search: WebSearchTool): Tool[] {
  if (!tools.some((tool) => tool.kind === 'web-search')) return [...tools, search];
  return tools.map((tool) => (tool.kind === 'web-search' ? { ...search, ...tool } : tool));
}

function decodeTool(value: unknown, path: string): Tool {
  const tool = readObject(value, path);
  switch (tool['type']) {
    case 'function':
      return decodeFunctionTool(readObject(tool['function'], `${path}.function`), `${path}.function`, tool);
    case 'custom':
      return decodeCustomTool(readObject(tool['custom'], `${path}.custom`), `${path}.custom`);
    case 'web_search':
    case 'web_search_preview':
      return decodeWebSearchTool(tool, path);
    default:
      return refuseField(
        `${path}.type`,
        `${JSON.stringify(tool['type'] ?? null)} is not a tool type this endpoint knows: use "function", "custom" or "web_search"`,
      );
  }
}
