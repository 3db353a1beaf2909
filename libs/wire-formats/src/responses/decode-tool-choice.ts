import type { ToolChoice } from '@weir/canonical';
import { findString, isObject, readArray, readName, readObject, refuseField, type JsonObject } from '../fields/field-readers';
import { flattenName } from './tool-namespace';

export function decodeResponsesToolChoice(choice: unknown): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice };
  if (!isObject(choice)) return refuseField('tool_choice', 'must be "auto", "none", "required" or an object');
  return decodeChosen(choice);
}

function decodeChosen(choice: JsonObject): ToolChoice {
  const type = choice['type'];
  if (type === 'function') return { kind: 'tool', name: readToolName(choice, 'tool_choice') };
  if (type === 'custom') return { kind: 'tool', name: readToolName(choice, 'tool_choice'), isCustom: true };
  if (type === 'allowed_tools') return decodeAllowed(choice);
  // A search cannot be named in our language: some tool has to be used, and the search is one of them.
  if (isSearch(type)) return { kind: 'required' };
  return refuseField('tool_choice.type', `${JSON.stringify(type ?? null)} cannot be chosen on this endpoint`);
}

function decodeAllowed(choice: JsonObject): ToolChoice {
  const mode = choice['mode'];
  if (mode !== 'auto' && mode !== 'required') return refuseField('tool_choice.mode', 'must be "auto" or "required"');
  const names: string[] = [];
  let hasSearch = false;
  readArray(choice['tools'], 'tool_choice.tools').forEach((value, index) => {
    const field = `tool_choice.tools[${index}]`;
    const tool = readObject(value, field);
    if (isSearch(tool['type'])) hasSearch = true;
    else names.push(readToolName(tool, field));
  });
  return { kind: 'allowed', mode, names, ...(hasSearch ? { hasSearch } : {}) };
}

function isSearch(type: unknown): boolean {
  return typeof type === 'string' && type.startsWith('web_search');
}

export function readToolName(holder: JsonObject, path: string): string {
  const name = readName(holder['name'], `${path}.name`);
  const namespace = findString(holder, 'namespace', path);
  return namespace === undefined ? name : flattenName({ namespace, name });
}
