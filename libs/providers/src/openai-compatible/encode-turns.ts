import type { ChatTurn, ContentBlock, ToolCallBlock, ToolResultBlock } from '@weir/canonical';
import { asRecord, asText, withoutUndefined, type JsonRecord } from '../wire/json-value';
import { noteResultLosses } from '../wire/note-result-losses';
import { encodeContent, encodePart, isEmptyText, type Part } from './encode-content';
import type { EncodeContext } from './context';
import { encodeToolCallId } from './encode-tool-call-id';
import { readDetails } from './reasoning-details';

/** Turns as chat messages. Images in tool results follow as a message of the user: tool messages hold text only. */
export function encodeTurns(turns: readonly ChatTurn[], context: EncodeContext): JsonRecord[] {
  const messages: JsonRecord[] = [];
  const toolNames = context.provider.namesToolResults ? collectToolNames(turns) : undefined;
  for (const turn of turns) {
    if (turn.role === 'assistant') messages.push(...encodeAssistant(turn, context));
    else if (turn.role === 'tool') messages.push(...encodeToolTurn(turn, { ...context, toolNames }));
    else messages.push(encodeAsking(turn, context));
  }
  return messages;
}

function encodeAsking(turn: ChatTurn, context: EncodeContext): JsonRecord {
  const keepsDeveloper = context.provider.developerRole === 'by-model' && context.target.model.supportsDeveloperRole;
  const role = turn.role === 'developer' && !keepsDeveloper ? 'system' : turn.role;
  return withoutUndefined({ role, content: encodeContent(turn.content, context), name: turn.name });
}

/** A turn of which only what has no place here is left is no message. */
function encodeAssistant(turn: ChatTurn, context: EncodeContext): JsonRecord[] {
  const { prose, calls, reasoning, details } = sortBlocks(turn, context);
  const hasProse = prose.some((block) => !isEmptyText(block));
  const thoughts =
    details.length > 0
      ? { reasoning_details: renameCalls(details, calls, context) }
      : encodeReasoningHistory(reasoning, calls.length > 0, context);
  const isSilent = prose.length === 0 && calls.length === 0 && Object.keys(thoughts).length === 0;
  if (isSilent && turn.content.length > 0) return [];
  return [
    {
      role: 'assistant',
      ...(turn.name === undefined ? {} : { name: turn.name }),
      content: hasProse ? encodeContent(prose, context) : calls.length > 0 ? null : '',
      ...thoughts,
      ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => encodeToolCall(call, context)) }),
    },
  ];
}

/** State that belongs to a call names it. */
function renameCalls(details: readonly unknown[], calls: readonly ToolCallBlock[], { provider }: EncodeContext): unknown[] {
  const ids = new Set(calls.map(({ id }) => id));
  return details.map((detail) => {
    const id = asText(asRecord(detail)?.['id']);
    return id !== undefined && ids.has(id) ? { ...asRecord(detail), id: encodeToolCallId(id, provider.toolCallIds) } : detail;
  });
}

type Sorted = {
  readonly prose: ContentBlock[];
  readonly calls: ToolCallBlock[];
  readonly reasoning: string;
  /** Reasoning with the provider's own state, which replaces the plain words. */
  readonly details: unknown[];
};

/** Blocks by where they go; what has no place here is reported. */
function sortBlocks(turn: ChatTurn, { provider, losses }: EncodeContext): Sorted {
  const prose: ContentBlock[] = [];
  const details: unknown[] = [];
  const calls: ToolCallBlock[] = [];
  let reasoning = '';
  for (const block of turn.content) {
    if (block.type === 'tool-call') calls.push(block);
    else if (block.type === 'reasoning') {
      reasoning += block.text;
      // What a provider gave of its own it takes back; what callers made of it for themselves, where that is known.
      const isTaken = provider.hasReasoningDetails || block.state?.family === provider.id;
      const own = block.state !== undefined && isTaken ? readDetails(block.state, block.text, provider.id) : undefined;
      if (own !== undefined) details.push(...own);
      else if (block.state !== undefined) losses.dropped.add('messages.reasoning');
    } else if (block.type === 'web-search' || block.type === 'opaque') losses.dropped.add(`messages.${block.type}`);
    else prose.push(block);
  }
  return { prose, calls, reasoning, details };
}

function encodeReasoningHistory(reasoning: string, hasCalls: boolean, { provider, losses }: EncodeContext): JsonRecord {
  if (provider.reasoningField === 'none') {
    if (reasoning !== '') losses.dropped.add('messages.reasoning');
    return {};
  }
  const isNeeded = provider.needsReasoningOnToolTurns && hasCalls;
  return reasoning === '' && !isNeeded ? {} : { [provider.reasoningField]: reasoning };
}

function encodeToolCall(call: ToolCallBlock, { provider, losses }: EncodeContext): JsonRecord {
  const id = encodeToolCallId(call.id, provider.toolCallIds);
  if (call.cache !== undefined) losses.dropped.add('cache_control');
  if (call.kind === 'custom' && provider.hasCustomTools)
    return { id, type: 'custom', custom: { name: call.name, input: call.argumentsText } };
  const text = call.kind === 'custom' ? JSON.stringify({ input: call.argumentsText }) : call.argumentsText;
  return { id, type: 'function', function: { name: call.name, arguments: text === '' ? '{}' : text } };
}

function encodeToolTurn(turn: ChatTurn, context: EncodeContext & { toolNames: ReadonlyMap<string, string> | undefined }): JsonRecord[] {
  const messages: JsonRecord[] = [];
  const shown: Part[] = [];
  for (const block of turn.content) {
    if (block.type !== 'tool-result') continue;
    messages.push(
      withoutUndefined({
        role: 'tool',
        tool_call_id: encodeToolCallId(block.toolCallId, context.provider.toolCallIds),
        name: context.toolNames?.get(block.toolCallId),
        content: encodeResult(block, shown, context),
      }),
    );
  }
  if (shown.length > 0) messages.push({ role: 'user', content: shown });
  return messages;
}

/** The result's text; what is no text is put into `shown` and only mentioned here. */
function encodeResult(result: ToolResultBlock, shown: Part[], context: EncodeContext): string {
  noteResultLosses(result, context.losses);
  const texts: string[] = [];
  for (const block of result.content) {
    if (block.type === 'text' || block.type === 'refusal') texts.push(block.text);
    else if (block.type === 'document' && block.source.kind === 'text') texts.push(block.source.text);
    else {
      shown.push({ type: 'text', text: `Part of the result of ${result.toolCallId}:` }, encodePart(block, context));
      texts.push(`[${block.type}]`);
      context.losses.approximated.add('messages.tool_result');
    }
  }
  return texts.join('\n');
}

function collectToolNames(turns: readonly ChatTurn[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const turn of turns) for (const block of turn.content) if (block.type === 'tool-call') names.set(block.id, block.name);
  return names;
}
