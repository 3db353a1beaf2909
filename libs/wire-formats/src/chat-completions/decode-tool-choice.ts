import type { ToolChoice } from '@weir/canonical';
import { isObject, readArray, readName, readObject, refuseField, type JsonObject } from '../fields/field-readers';

export function decodeChatToolChoice(body: JsonObject): ToolChoice | undefined {
  const choice = body['tool_choice'];
  if (choice === undefined || choice === null) return decodeLegacyChoice(body['function_call']);
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice };
  if (!isObject(choice)) return refuseField('tool_choice', 'must be "auto", "none", "required" or an object');
  switch (choice['type']) {
    case 'function':
      return { kind: 'tool', name: readNested(choice, 'function', 'tool_choice') };
    case 'custom':
      return { kind: 'tool', name: readNested(choice, 'custom', 'tool_choice'), isCustom: true };
    case 'allowed_tools':
      return decodeAllowed(readObject(choice['allowed_tools'], 'tool_choice.allowed_tools'));
    default:
      return refuseField('tool_choice.type', 'must be "function", "custom" or "allowed_tools"');
  }
}

function decodeAllowed(allowed: JsonObject): ToolChoice {
  const path = 'tool_choice.allowed_tools';
  const mode = allowed['mode'];
  if (mode !== 'auto' && mode !== 'required') return refuseField(`${path}.mode`, 'must be "auto" or "required"');
  const names: string[] = [];
  let hasSearch = false;
  readArray(allowed['tools'], `${path}.tools`).forEach((value, index) => {
    const field = `${path}.tools[${index}]`;
    const tool = readObject(value, field);
    if (tool['type'] === 'web_search') hasSearch = true;
    else names.push(readNested(tool, tool['type'] === 'custom' ? 'custom' : 'function', field));
  });
  return { kind: 'allowed', mode, names, ...(hasSearch ? { hasSearch } : {}) };
}

function readNested(holder: JsonObject, key: 'function' | 'custom', path: string): string {
  return readName(readObject(holder[key], `${path}.${key}`)['name'], `${path}.${key}.name`);
}

function decodeLegacyChoice(choice: unknown): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'auto' || choice === 'none') return { kind: choice };
  if (!isObject(choice)) return refuseField('function_call', 'must be "auto", "none" or an object with a name');
  return { kind: 'tool', name: readName(choice['name'], 'function_call.name') };
}
