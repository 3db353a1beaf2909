import type { ChatRequest, Tool, WebSearchTool } from '@weir/canonical';
import { searchUnsupported, unsupported } from '../../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { isSearchOffered } from '../../wire/is-search-offered';
import { noteSearchLosses } from '../../wire/note-search-losses';
import { CUSTOM_TOOL_SCHEMA, describeCustomTool } from '../../wire/remember-custom-tools';
import type { ToolNameRule } from '../../wire/with-legal-tool-names';
import type { EncodeContext } from './context';

export const TOOL_NAMES: ToolNameRule = { legal: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/, charactersMax: 64 };

/** All functions stand in one tool; the search is another. */
export function encodeTools(request: ChatRequest, context: EncodeContext): JsonRecord[] | undefined {
  const functions: JsonRecord[] = [];
  const others: JsonRecord[] = [];
  for (const tool of request.tools ?? []) {
    if (tool.kind !== 'web-search') functions.push(encodeFunction(tool, context));
    else if (isSearchOffered(request)) others.push(encodeSearch(tool, context));
  }
  const tools = functions.length === 0 ? others : [{ functionDeclarations: functions }, ...others];
  return tools.length === 0 ? undefined : tools;
}

function encodeSearch(tool: WebSearchTool, { target, losses }: EncodeContext): JsonRecord {
  if (!target.model.supportsWebSearch) throw searchUnsupported(target);
  noteSearchLosses(tool, losses);
  if (tool.allowedDomains !== undefined || tool.blockedDomains !== undefined) losses.dropped.add('web_search.filters');
  if (tool.usesMax !== undefined) losses.dropped.add('max_uses');
  return { googleSearch: {} };
}

function encodeFunction(tool: Exclude<Tool, { kind: 'web-search' }>, { losses }: EncodeContext): JsonRecord {
  if (tool.kind === 'hosted') throw unsupported('tools', `The tool type "${tool.type}"`);
  if (tool.kind === 'custom') {
    losses.approximated.add('tools');
    return withoutUndefined({ name: tool.name, description: describeCustomTool(tool), parametersJsonSchema: CUSTOM_TOOL_SCHEMA });
  }
  if (tool.cache !== undefined) losses.dropped.add('cache_control');
  if (tool.isStrict === true) losses.dropped.add('tools.strict');
  return withoutUndefined({ name: tool.name, description: tool.description, parametersJsonSchema: tool.parameters });
}

export function encodeToolConfig(request: ChatRequest): JsonRecord | undefined {
  const choice = request.toolChoice;
  if (choice === undefined || !(request.tools ?? []).some((tool) => tool.kind === 'function' || tool.kind === 'custom')) return undefined;
  return { functionCallingConfig: encodeChoice(choice) };
}

function encodeChoice(choice: NonNullable<ChatRequest['toolChoice']>): JsonRecord {
  switch (choice.kind) {
    case 'auto':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] };
    case 'allowed':
      if (choice.names.length === 0) return { mode: 'NONE' };
      // Names may be given with the forcing mode or the validating one, which does not force.
      return { mode: choice.mode === 'required' ? 'ANY' : 'VALIDATED', allowedFunctionNames: choice.names };
  }
}
