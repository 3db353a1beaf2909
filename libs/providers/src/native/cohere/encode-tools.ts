import type { ChatRequest, Tool, ToolChoice } from '@weir/canonical';
import { searchUnsupported, unsupported } from '../../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { CUSTOM_TOOL_SCHEMA, describeCustomTool } from '../../wire/remember-custom-tools';
import type { EncodeContext } from './context';

/** The tools on offer and the choice among them: a choice of some leaves the others out. */
export function encodeTools(request: ChatRequest, context: EncodeContext): JsonRecord {
  const choice = request.toolChoice;
  const tools = listOffered(request.tools ?? [], choice);
  if (tools.length === 0) return {};
  return {
    tools: tools.map((tool) => encodeTool(tool, context)),
    tool_choice: encodeChoice(choice),
    strict_tools: encodeStrictness(tools, context),
  };
}

function listOffered(tools: readonly Tool[], choice: ToolChoice | undefined): readonly Tool[] {
  if (choice?.kind !== 'allowed' && choice?.kind !== 'tool') return tools;
  const names = new Set(choice.kind === 'tool' ? [choice.name] : choice.names);
  return tools.filter((tool) => !('name' in tool) || names.has(tool.name));
}

function encodeTool(tool: Tool, { losses, target }: EncodeContext): JsonRecord {
  switch (tool.kind) {
    case 'function':
      if (tool.cache !== undefined) losses.dropped.add('cache_control');
      return toFunction({
        name: tool.name,
        description: tool.description,
        parameters: tool.parameters ?? { type: 'object', properties: {} },
      });
    case 'custom':
      losses.approximated.add('tools');
      return toFunction({ name: tool.name, description: describeCustomTool(tool), parameters: CUSTOM_TOOL_SCHEMA });
    case 'web-search':
      throw searchUnsupported(target);
    case 'hosted':
      throw unsupported('tools', `The tool type "${tool.type}"`);
  }
}

function toFunction(described: { name: string; description: string | undefined; parameters: object }): JsonRecord {
  return { type: 'function', function: withoutUndefined(described) };
}

/** One word for all tools; the model chooses freely where there is none. */
function encodeChoice(choice: ToolChoice | undefined): 'REQUIRED' | 'NONE' | undefined {
  if (choice === undefined) return undefined;
  const kind = choice.kind === 'allowed' ? choice.mode : choice.kind;
  if (kind === 'none') return 'NONE';
  return kind === 'auto' ? undefined : 'REQUIRED';
}

/** Strictness is one switch for all tools. */
function encodeStrictness(tools: readonly Tool[], { losses }: EncodeContext): true | undefined {
  const strict = tools.filter((tool) => tool.kind === 'function' && tool.isStrict === true);
  if (strict.length === 0) return undefined;
  if (strict.length === tools.length) return true;
  losses.dropped.add('tools.strict');
  return undefined;
}
