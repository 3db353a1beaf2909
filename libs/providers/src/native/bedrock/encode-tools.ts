import type { ChatRequest, FunctionTool, Tool } from '@weir/canonical';
import { searchUnsupported, unsupported } from '../../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { CUSTOM_TOOL_SCHEMA, describeCustomTool } from '../../wire/remember-custom-tools';
import { ANSWER_TOOL } from './call-notes';
import { encodeCachePoint } from './encode-blocks';
import type { EncodeContext } from './context';

/**
 * The tools to offer: with a choice among some the others are left out, and with the choice of none all are, because
 * there is no word for it.
 */
export function listOfferedTools({ tools, toolChoice }: ChatRequest): readonly Tool[] {
  if (tools === undefined || toolChoice?.kind === 'none') return [];
  if (toolChoice?.kind !== 'allowed') return tools;
  const allowed = new Set(toolChoice.names);
  return tools.filter((tool) => !('name' in tool) || allowed.has(tool.name));
}

export function encodeToolConfig(request: ChatRequest, context: EncodeContext): JsonRecord | undefined {
  const tools = listOfferedTools(request).flatMap((tool) => encodeTool(tool, context));
  if (context.hasAnswerTool) tools.push(encodeAnswerTool(request));
  if (tools.length === 0) return undefined;
  // A choice that also says "one at a time" goes in the maker's own words instead.
  const toolChoice = isSerial(request, context) ? undefined : encodeToolChoice(request, context);
  return withoutUndefined({ tools, toolChoice });
}

function encodeTool(tool: Tool, context: EncodeContext): JsonRecord[] {
  switch (tool.kind) {
    case 'function':
      return encodeFunction(tool, context);
    case 'custom':
      context.losses.approximated.add('tools');
      return [toSpec({ name: tool.name, description: describeCustomTool(tool), schema: CUSTOM_TOOL_SCHEMA })];
    case 'web-search':
      throw searchUnsupported(context.target);
    case 'hosted':
      if (tool.family !== context.family) throw unsupported('tools', `The tool type "${tool.type}"`);
      return [tool.raw as JsonRecord];
  }
}

function encodeFunction(tool: FunctionTool, context: EncodeContext): JsonRecord[] {
  const { traits, losses } = context;
  const parameters = tool.parameters ?? {};
  const schema = parameters['type'] === 'object' ? parameters : { ...parameters, type: 'object' };
  const isStrict = tool.isStrict === true && traits.hasTextFormat;
  if (tool.isStrict === true && !isStrict) losses.dropped.add('tools.strict');
  const spec = toSpec({ name: tool.name, description: tool.description, schema, strict: isStrict ? true : undefined });
  if (tool.cache === undefined) return [spec];
  if (!traits.caches.tools) {
    losses.dropped.add('cache_control');
    return [spec];
  }
  return [spec, ...encodeCachePoint(tool.cache, context)];
}

type Spec = { name: string; description: string | undefined; schema: object; strict?: true | undefined };

function toSpec({ name, description, schema, strict }: Spec): JsonRecord {
  const words = description === undefined || description.trim() === '' ? undefined : description;
  return { toolSpec: withoutUndefined({ name, description: words, inputSchema: { json: schema }, strict }) };
}

function encodeAnswerTool({ responseFormat }: ChatRequest): JsonRecord {
  const format = responseFormat?.kind === 'json-schema' ? responseFormat : undefined;
  const description = format?.description ?? 'Gives the answer. Call it once, with the whole answer as its input.';
  return toSpec({ name: ANSWER_TOOL, description, schema: { ...format?.schema, type: 'object' } });
}

function encodeToolChoice(request: ChatRequest, { hasAnswerTool }: EncodeContext): JsonRecord | undefined {
  const kind = kindOfChoice(request);
  if (kind === 'tool' && request.toolChoice?.kind === 'tool') return { tool: { name: request.toolChoice.name } };
  if (hasAnswerTool || kind === 'required') return { any: {} };
  return kind === 'auto' ? { auto: {} } : undefined;
}

function kindOfChoice({ toolChoice }: ChatRequest): 'auto' | 'required' | 'none' | 'tool' | undefined {
  return toolChoice?.kind === 'allowed' ? toolChoice.mode : toolChoice?.kind;
}

/** Whether the choice goes in the maker's own words, which can ask for one call at a time. */
function isSerial(request: ChatRequest, { traits }: EncodeContext): boolean {
  return request.hasParallelTools === false && traits.isClaude;
}

/** The choice for the maker's own fields; undefined where the provider's are enough. */
export function encodeSerialChoice(request: ChatRequest, context: EncodeContext): JsonRecord | undefined {
  if (request.hasParallelTools !== false || context.isToolless) return undefined;
  if (!isSerial(request, context)) {
    context.losses.dropped.add('parallel_tool_calls');
    return undefined;
  }
  const choice = request.toolChoice;
  if (choice?.kind === 'tool') return { type: 'tool', name: choice.name, disable_parallel_tool_use: true };
  const isForced = context.hasAnswerTool || kindOfChoice(request) === 'required';
  return { type: isForced ? 'any' : 'auto', disable_parallel_tool_use: true };
}

/** Whether a call is forced, which models refuse while they think. */
export function forcesCall(request: ChatRequest, hasAnswerTool: boolean): boolean {
  const kind = kindOfChoice(request);
  return hasAnswerTool || kind === 'required' || kind === 'tool';
}
