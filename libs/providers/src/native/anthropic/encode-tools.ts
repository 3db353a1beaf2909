import type { ChatRequest, FunctionTool, LossReport, Tool, WebSearchTool } from '@weir/canonical';
import { searchUnsupported, unsupported } from '../../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { isSearchOffered } from '../../wire/is-search-offered';
import { CUSTOM_TOOL_SCHEMA, describeCustomTool } from '../../wire/remember-custom-tools';
import { encodeCache } from './encode-cache';
import type { EncodeContext } from './context';

/** The version of the search tool that works everywhere. */
const WEB_SEARCH_TYPE = 'web_search_20250305';

/** The tools on offer; a choice among some of them leaves the others out. */
export function encodeTools(request: ChatRequest, context: EncodeContext): unknown[] | undefined {
  const allowed = request.toolChoice?.kind === 'allowed' ? new Set(request.toolChoice.names) : undefined;
  const tools = (request.tools ?? []).filter((tool) => {
    if (allowed === undefined) return true;
    return 'name' in tool ? allowed.has(tool.name) : tool.kind !== 'web-search' || isSearchOffered(request);
  });
  return tools.length === 0 ? undefined : tools.map((tool) => encodeTool(tool, context));
}

function encodeTool(tool: Tool, context: EncodeContext): unknown {
  switch (tool.kind) {
    case 'function':
      return encodeFunction(tool);
    case 'custom':
      context.losses.approximated.add('tools');
      return withoutUndefined({ name: tool.name, description: describeCustomTool(tool), input_schema: CUSTOM_TOOL_SCHEMA });
    case 'web-search':
      if (!context.target.model.supportsWebSearch) throw searchUnsupported(context.target);
      return encodeWebSearch(tool, context.losses);
    case 'hosted':
      if (tool.family !== 'messages') throw unsupported('tools', `The tool type "${tool.type}"`);
      return tool.raw;
  }
}

function encodeFunction(tool: FunctionTool): JsonRecord {
  const schema = tool.parameters ?? {};
  return withoutUndefined({
    name: tool.name,
    description: tool.description,
    input_schema: schema['type'] === 'object' ? schema : { ...schema, type: 'object', properties: schema['properties'] ?? {} },
    strict: tool.isStrict === true ? true : undefined,
    cache_control: tool.cache === undefined ? undefined : encodeCache(tool.cache),
  });
}

function encodeWebSearch(tool: WebSearchTool, losses: LossReport): JsonRecord {
  if (tool.contextSize !== undefined) losses.dropped.add('search_context_size');
  if (tool.allowedDomains !== undefined && tool.blockedDomains !== undefined) losses.dropped.add('blocked_domains');
  return withoutUndefined({
    type: WEB_SEARCH_TYPE,
    name: 'web_search',
    max_uses: tool.usesMax,
    allowed_domains: tool.allowedDomains,
    blocked_domains: tool.allowedDomains === undefined ? tool.blockedDomains : undefined,
    user_location: tool.userLocation === undefined ? undefined : { type: 'approximate', ...tool.userLocation },
  });
}

/** The choice, with "one call at a time" on it: that has no place of its own in this dialect. */
export function encodeToolChoice(request: ChatRequest, isThinking: boolean): JsonRecord | undefined {
  if ((request.tools ?? []).length === 0) return undefined;
  const reported = encodeChoiceType(request);
  if (isThinking && isForced(reported)) throw unsupported('tool_choice', 'A forced tool call while thinking');
  const isSerial = request.hasParallelTools === false && reported !== 'none';
  const type = reported ?? (isSerial ? 'auto' : undefined);
  if (type === undefined) return undefined;
  const name = request.toolChoice?.kind === 'tool' ? request.toolChoice.name : undefined;
  return withoutUndefined({ type, name, disable_parallel_tool_use: isSerial ? true : undefined });
}

function isForced(type: string | undefined): boolean {
  return type === 'any' || type === 'tool';
}

function encodeChoiceType(request: ChatRequest): 'auto' | 'any' | 'tool' | 'none' | undefined {
  const choice = request.toolChoice;
  if (choice === undefined) return undefined;
  const kind = choice.kind === 'allowed' ? choice.mode : choice.kind;
  return kind === 'required' ? 'any' : kind;
}
