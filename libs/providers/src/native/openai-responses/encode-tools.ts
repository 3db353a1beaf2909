import type { ChatRequest, LossReport, Tool, WebSearchTool } from '@weir/canonical';
import { searchUnsupported, unsupported } from '../../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';
import type { EncodeContext } from './context';

export function encodeTools(request: ChatRequest, context: EncodeContext): unknown[] | undefined {
  const tools = request.tools ?? [];
  return tools.length === 0 ? undefined : tools.map((tool) => encodeTool(tool, context));
}

function encodeTool(tool: Tool, { target, losses }: EncodeContext): unknown {
  switch (tool.kind) {
    case 'function':
      if (tool.cache !== undefined) losses.dropped.add('cache_control');
      return withoutUndefined({
        type: 'function',
        name: tool.name,
        description: tool.description,
        parameters: tool.parameters ?? { type: 'object', properties: {} },
        // Absent means strict here and not strict everywhere else.
        strict: tool.isStrict ?? false,
      });
    case 'custom':
      return withoutUndefined({ type: 'custom', name: tool.name, description: tool.description, format: encodeCustomFormat(tool.format) });
    case 'web-search':
      if (!target.model.supportsWebSearch) throw searchUnsupported(target);
      return encodeWebSearch(tool, losses);
    case 'hosted':
      if (tool.family !== 'responses') throw unsupported('tools', `The tool type "${tool.type}"`);
      return tool.raw;
  }
}

/** Grammars are nested in chat completions and flat here. */
function encodeCustomFormat(format: unknown): unknown {
  const reported = format as { type?: unknown; grammar?: JsonRecord } | undefined;
  return reported?.type === 'grammar' && reported.grammar !== undefined ? { type: 'grammar', ...reported.grammar } : format;
}

function encodeWebSearch(tool: WebSearchTool, losses: LossReport): JsonRecord {
  if (tool.blockedDomains !== undefined) losses.dropped.add('blocked_domains');
  if (tool.usesMax !== undefined) losses.approximated.add('max_uses');
  return withoutUndefined({
    type: 'web_search',
    filters: tool.allowedDomains === undefined ? undefined : { allowed_domains: tool.allowedDomains },
    user_location: tool.userLocation === undefined ? undefined : { type: 'approximate', ...tool.userLocation },
    search_context_size: tool.contextSize,
  });
}

export function encodeToolChoice(request: ChatRequest): unknown {
  const choice = request.toolChoice;
  if (choice === undefined) return undefined;
  if (choice.kind === 'tool') return { type: choice.isCustom === true ? 'custom' : 'function', name: choice.name };
  if (choice.kind !== 'allowed') return choice.kind;
  const custom = new Set((request.tools ?? []).filter((tool) => tool.kind === 'custom').map((tool) => tool.name));
  const tools = choice.names.map((name) => ({ type: custom.has(name) ? 'custom' : 'function', name }));
  return { type: 'allowed_tools', mode: choice.mode, tools: choice.hasSearch === true ? [...tools, { type: 'web_search' }] : tools };
}
