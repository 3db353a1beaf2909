import type { CustomTool, FunctionTool } from '@weir/canonical';
import { decodeCacheMark } from './decode-cache-mark';
import { dropAbsent } from './drop-absent';
import { findBoolean, findObject, findString, readName, type JsonObject } from './field-readers';

/** `{name, description?, parameters?, strict?}`, nested or flat; `holder` is where a cache mark may stand. */
export function decodeFunctionTool(tool: JsonObject, path: string, holder: JsonObject = tool): FunctionTool {
  return {
    kind: 'function',
    name: readName(tool['name'], `${path}.name`),
    ...dropAbsent({
      description: findString(tool, 'description', path),
      parameters: findObject(tool, 'parameters', path),
      isStrict: findBoolean(tool, 'strict', path),
      cache: decodeCacheMark(holder, path),
    }),
  };
}

export function decodeCustomTool(tool: JsonObject, path: string): CustomTool {
  return {
    kind: 'custom',
    name: readName(tool['name'], `${path}.name`),
    ...dropAbsent({ description: findString(tool, 'description', path), format: tool['format'] ?? undefined }),
  };
}
