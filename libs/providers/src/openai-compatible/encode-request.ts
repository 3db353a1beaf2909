import { stringifyExactJson, type ChatRequest, type LossReport, type ResponseFormat, type Tool, type WebSearchTool } from '@weir/canonical';
import type { EncodedCall, ProviderTarget } from '../provider/target';
import { unsupported } from '../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../wire/json-value';
import { isSearchOffered } from '../wire/is-search-offered';
import { encodeFields, reportDroppedFields } from '../fields/field-uses';
import { CUSTOM_TOOL_SCHEMA, describeCustomTool } from '../wire/remember-custom-tools';
import type { CompatibleProvider } from './rules/compatible-provider.schema';
import { encodeReasoning } from './encode-reasoning';
import { encodeTurns } from './encode-turns';
import { FIELDS } from './fields';
import { noteSearchLosses } from '../wire/note-search-losses';
import { applyParamRules, planParamRules } from './plan-param-rules';
import { encodeSearchWish } from './rewrite-members';
import type { EncodeContext } from './context';

/** A request in chat completions: first in OpenAI's words, then with this provider's rules applied. */
export function createEncodeRequest(provider: CompatibleProvider) {
  const rulesOf = planParamRules(provider);
  return (request: ChatRequest, target: ProviderTarget, losses: LossReport): EncodedCall => {
    const context = { provider, target, losses };
    const body: JsonRecord = {
      model: target.attempt.upstreamModel,
      messages: encodeTurns(request.turns, context),
      ...encodeFields(request, FIELDS, context),
      ...encodeTools(request, context),
      ...encodeFormat(request.responseFormat, context),
      ...encodeReasoning(request, context),
      stream: request.stream,
    };
    if (request.stream && provider.streamUsage === 'on-request') body['stream_options'] = { include_usage: true };
    reportDroppedFields(request, FIELDS, losses);
    applyParamRules(body, rulesOf(target.model), losses);
    return { path: provider.endpoints.chat, body: stringifyExactJson(body) };
  };
}

function encodeTools(request: ChatRequest, context: EncodeContext): JsonRecord {
  const { provider } = context;
  const tools: unknown[] = [];
  let search: JsonRecord = {};
  for (const tool of listOffered(request, provider)) {
    if (tool.kind === 'web-search') search = encodeSearch(tool, context);
    else tools.push(encodeTool(tool, context));
  }
  if (tools.length === 0) return search;
  const choice = withoutUndefined({ tool_choice: encodeToolChoice(request, provider), parallel_tool_calls: request.hasParallelTools });
  return { ...search, tools, ...choice };
}

/** A choice among some tools leaves the others out where the provider has no word for it; a search it has no word for at all. */
function listOffered(request: ChatRequest, provider: CompatibleProvider): readonly Tool[] {
  const tools = (request.tools ?? []).filter((tool) => tool.kind !== 'web-search' || isSearchOffered(request));
  if (request.toolChoice?.kind !== 'allowed' || provider.hasAllowedTools) return tools;
  const names = new Set(request.toolChoice.names);
  return tools.filter((tool) => !('name' in tool) || names.has(tool.name));
}

function encodeSearch(tool: WebSearchTool, { provider, target, losses }: EncodeContext): JsonRecord {
  if (tool.allowedDomains !== undefined || tool.blockedDomains !== undefined) losses.dropped.add('web_search.filters');
  if (tool.usesMax !== undefined) losses.dropped.add('max_uses');
  if (provider.webSearch !== 'options') noteSearchLosses(tool, losses);
  return encodeSearchWish(provider, target, withoutUndefined({ search_context_size: tool.contextSize, user_location: tool.userLocation }));
}

function encodeTool(tool: Exclude<Tool, { kind: 'web-search' }>, { provider, losses }: EncodeContext): unknown {
  if (tool.kind === 'hosted') {
    if (tool.family === 'chat-completions') return tool.raw;
    throw unsupported('tools', `The tool type "${tool.type}"`);
  }
  if (tool.kind === 'function') {
    if (tool.cache !== undefined) losses.dropped.add('cache_control');
    return {
      type: 'function',
      function: withoutUndefined({ name: tool.name, description: tool.description, parameters: tool.parameters, strict: tool.isStrict }),
    };
  }
  if (provider.hasCustomTools) {
    const format = encodeCustomFormat(tool.format);
    return { type: 'custom', custom: withoutUndefined({ name: tool.name, description: tool.description, format }) };
  }
  losses.approximated.add('tools');
  return {
    type: 'function',
    function: withoutUndefined({ name: tool.name, description: describeCustomTool(tool), parameters: CUSTOM_TOOL_SCHEMA }),
  };
}

/** Grammars are flat in responses and nested in chat completions; callers of both come here. */
function encodeCustomFormat(format: unknown): unknown {
  const reported = format as { type?: unknown; syntax?: unknown; definition?: unknown } | undefined;
  if (reported?.type !== 'grammar' || reported.definition === undefined) return format;
  return { type: 'grammar', grammar: { syntax: reported.syntax, definition: reported.definition } };
}

function encodeToolChoice(request: ChatRequest, provider: CompatibleProvider): unknown {
  const choice = request.toolChoice;
  if (choice === undefined) return undefined;
  if (choice.kind === 'tool') {
    const isCustom = choice.isCustom === true && provider.hasCustomTools;
    return isCustom ? { type: 'custom', custom: { name: choice.name } } : { type: 'function', function: { name: choice.name } };
  }
  if (choice.kind !== 'allowed') return choice.kind;
  if (choice.names.length === 0) return 'none';
  if (!provider.hasAllowedTools) return choice.mode;
  const custom = provider.hasCustomTools ? listCustomTools(request) : new Set<string>();
  const tools = choice.names.map((name) =>
    custom.has(name) ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } },
  );
  return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools } };
}

function listCustomTools({ tools = [] }: ChatRequest): ReadonlySet<string> {
  return new Set(tools.flatMap((tool) => (tool.kind === 'custom' ? [tool.name] : [])));
}

function encodeFormat(format: ResponseFormat | undefined, { target }: EncodeContext): JsonRecord {
  if (format === undefined || format.kind === 'text') return {};
  if (format.kind === 'json') return { response_format: { type: 'json_object' } };
  if (!target.model.supportsJsonSchema) throw unsupported('response_format', 'A response format with a JSON schema');
  const { schema, description, isStrict } = format;
  return {
    response_format: {
      type: 'json_schema',
      json_schema: withoutUndefined({ name: format.name ?? 'answer', description, schema, strict: isStrict }),
    },
  };
}
