import type { ContentBlock, ReasoningBlock, ToolCallBlock, ToolResultBlock } from '@weir/canonical';
import { encodeCallInput } from '../../wire/encode-call-input';
import { asRecord, type JsonRecord } from '../../wire/json-value';
import { noteImageLosses } from '../../wire/note-image-losses';
import { isOwnState } from '../anthropic/own-state';
import { encodeAudio, encodeDocument, encodeImage, encodeVideo } from './encode-media';
import { encodeToolCallId } from './encode-names';
import type { EncodeContext } from './context';

/** One block as the provider's, with the cache point that follows it; what it would refuse is left out and reported. */
export function encodeBlock(block: ContentBlock, context: EncodeContext): JsonRecord[] {
  const encoded = encodeContent(block, context);
  if (!('cache' in block) || block.cache === undefined || encoded.length === 0) return encoded;
  return [...encoded, ...encodeCachePoint(block.cache, context)];
}

function encodeContent(block: ContentBlock, context: EncodeContext): JsonRecord[] {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return encodeText(block.text);
    case 'image':
      noteImageLosses(block, context.losses);
      return [encodeImage(block)];
    case 'document':
      return [encodeDocument(block, context.nameDocument)];
    case 'video':
      return [encodeVideo(block)];
    case 'audio':
      return [encodeAudio(block)];
    case 'tool-call':
      return context.isToolless ? reportToolCall(block, context) : [encodeToolCall(block)];
    case 'tool-result':
      return context.isToolless ? reportToolResult(block, context) : [encodeToolResult(block, context)];
    case 'reasoning':
      return encodeReasoning(block, context);
    case 'opaque':
      return encodeOpaque(block, context);
    case 'web-search':
      context.losses.dropped.add('messages.web-search');
      return [];
  }
}

function encodeText(text: string): JsonRecord[] {
  return text.trim() === '' ? [] : [{ text }];
}

export function encodeCachePoint(mark: { readonly ttl?: '5m' | '1h' }, { traits, losses }: EncodeContext): JsonRecord[] {
  if (!traits.caches.prompt) {
    losses.dropped.add('cache_control');
    return [];
  }
  if (mark.ttl === '1h' && !traits.caches.hour) losses.approximated.add('cache_control');
  return [{ cachePoint: { type: 'default', ...(mark.ttl === '1h' && traits.caches.hour ? { ttl: '1h' } : {}) } }];
}

function encodeToolCall(block: ToolCallBlock): JsonRecord {
  const input = encodeCallInput(block);
  return { toolUse: { toolUseId: encodeToolCallId(block.id), name: block.name, input } };
}

function encodeToolResult(block: ToolResultBlock, context: EncodeContext): JsonRecord {
  const content = block.content.flatMap((part) => encodeContent(part, context));
  const isReported = block.isError === true && context.traits.knowsResultStatus;
  if (block.isError === true && !isReported) context.losses.dropped.add('messages.is_error');
  return { toolResult: { toolUseId: encodeToolCallId(block.toolCallId), content, ...(isReported ? { status: 'error' } : {}) } };
}

/** Blocks of calls are refused in a request that offers no tools: there earlier calls are written as text. */
function reportToolCall(block: ToolCallBlock, { losses }: EncodeContext): JsonRecord[] {
  losses.approximated.add('messages.tool_calls');
  return [{ text: `<tool_call name="${block.name}">${block.argumentsText || '{}'}</tool_call>` }];
}

function reportToolResult(block: ToolResultBlock, context: EncodeContext): JsonRecord[] {
  context.losses.approximated.add('messages.tool_calls');
  const encoded = block.content.flatMap((part) => encodeContent(part, context));
  const text = encoded.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : [])).join('\n');
  return [{ text: `<tool_result>${text}</tool_result>` }, ...encoded.filter((part) => part['text'] === undefined)];
}

/** State in the format of the Messages dialect was issued by the same models at their maker's own service. */
function encodeReasoning({ text, state }: ReasoningBlock, { family, traits, losses }: EncodeContext): JsonRecord[] {
  if (!isOwnState(state, family) || (state.family !== family && !traits.isClaude)) {
    losses.dropped.add('messages.reasoning');
    return [];
  }
  if (state.kind !== 'redacted') return [{ reasoningContent: { reasoningText: { text, signature: state.value } } }];
  // Bytes travel in base64 here, on top of whatever the maker's own text is.
  const redactedContent = state.family === family ? state.value : Buffer.from(state.value, 'utf8').toString('base64');
  return [{ reasoningContent: { redactedContent } }];
}

function encodeOpaque(block: Extract<ContentBlock, { type: 'opaque' }>, { family, losses }: EncodeContext): JsonRecord[] {
  const raw = block.family === family ? asRecord(block.raw) : undefined;
  if (raw === undefined) losses.dropped.add('messages.opaque');
  return raw === undefined ? [] : [raw];
}
