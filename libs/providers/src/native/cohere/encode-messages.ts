import type { ChatTurn, ContentBlock, MediaSource, ToolCallBlock, ToolResultBlock } from '@weir/canonical';
import { unsupportedPart } from '../../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { noteDocumentLosses } from '../../wire/note-document-losses';
import { noteResultLosses } from '../../wire/note-result-losses';
import type { EncodeContext } from './context';

/** Turns as messages; results of tools are one message each, and what is no text in them follows as the user's. */
export function encodeMessages(turns: readonly ChatTurn[], context: EncodeContext): JsonRecord[] {
  return turns.flatMap((turn) => {
    if (turn.name !== undefined) context.losses.dropped.add('messages.name');
    if (turn.role === 'assistant') return encodeAssistant(turn, context);
    if (turn.role === 'tool') return encodeResults(turn, context);
    return [{ role: turn.role === 'user' ? 'user' : 'system', content: encodeContent(turn.content, context) }];
  });
}

function encodeContent(content: readonly ContentBlock[], context: EncodeContext): string | JsonRecord[] {
  const parts = content.filter((block) => block.type !== 'text' || block.text !== '').map((block) => encodePart(block, context));
  return joinText(parts);
}

/** Parts as one string where they are one text. */
function joinText(parts: JsonRecord[]): string | JsonRecord[] {
  const [first] = parts;
  if (first === undefined) return '';
  return parts.length === 1 && typeof first['text'] === 'string' ? first['text'] : parts;
}

function encodePart(block: ContentBlock, { losses }: EncodeContext): JsonRecord {
  if ('cache' in block && block.cache !== undefined) losses.dropped.add('cache_control');
  noteDocumentLosses(block, losses);
  switch (block.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image_url', image_url: withoutUndefined({ url: addressOf(block.source), detail: block.detail }) };
    case 'document':
      return { type: 'text', text: textOfDocument(block) };
    default:
      throw unsupportedPart(block, `Content of the kind "${block.type}"`);
  }
}

function addressOf(source: MediaSource): string {
  if (source.kind === 'url') return source.url;
  if (source.kind === 'base64') return `data:${source.mediaType};base64,${source.data}`;
  throw unsupportedPart(source, 'An image that is named by id');
}

function textOfDocument({ source, filename, context }: Extract<ContentBlock, { type: 'document' }>): string {
  if (source.kind !== 'text') throw unsupportedPart(source, 'File input');
  return [filename, context, source.text].filter((line) => line !== undefined).join('\n');
}

/** A turn of which only what has no place here is left is no message. */
function encodeAssistant(turn: ChatTurn, context: EncodeContext): JsonRecord[] {
  const calls = turn.content.filter((block) => block.type === 'tool-call');
  const { thoughts, plan } = encodeReasoning(turn, calls.length > 0, context);
  const content = [...thoughts, ...turn.content.flatMap((block) => encodeProse(block, context))];
  const isSilent = content.length === 0 && calls.length === 0 && plan === undefined;
  if (isSilent && turn.content.some(({ type }) => type !== 'text')) return [];
  return [
    withoutUndefined({
      role: 'assistant',
      content: content.length === 0 && calls.length > 0 ? undefined : joinText(content),
      tool_plan: plan,
      tool_calls: calls.length === 0 ? undefined : calls.map((call) => encodeCall(call, context)),
    }),
  ];
}

type Reasoning = { readonly thoughts: readonly JsonRecord[]; readonly plan: string | undefined };

/** Models that think get their thinking back; the others only plan their calls. */
function encodeReasoning(turn: ChatTurn, hasCalls: boolean, { target, losses }: EncodeContext): Reasoning {
  const blocks = turn.content.filter((block) => block.type === 'reasoning');
  const text = blocks.map((block) => block.text).join('');
  const isThinking = target.model.supportsReasoning;
  const hasPlace = isThinking || hasCalls;
  if (blocks.some((block) => block.state !== undefined) || (text !== '' && !hasPlace)) losses.dropped.add('messages.reasoning');
  if (text === '' || !hasPlace) return { thoughts: [], plan: undefined };
  return isThinking ? { thoughts: [{ type: 'thinking', thinking: text }], plan: undefined } : { thoughts: [], plan: text };
}

function encodeProse(block: ContentBlock, context: EncodeContext): JsonRecord[] {
  if (block.type === 'tool-call' || block.type === 'reasoning') return [];
  if (block.type === 'web-search' || block.type === 'opaque') {
    context.losses.dropped.add(`messages.${block.type}`);
    return [];
  }
  const part = encodePart(block, context);
  return part['text'] === '' ? [] : [part];
}

function encodeCall(call: ToolCallBlock, { losses }: EncodeContext): JsonRecord {
  if (call.cache !== undefined) losses.dropped.add('cache_control');
  const text = call.kind === 'custom' ? JSON.stringify({ input: call.argumentsText }) : call.argumentsText;
  return { id: call.id, type: 'function', function: { name: call.name, arguments: text === '' ? '{}' : text } };
}

function encodeResults(turn: ChatTurn, context: EncodeContext): JsonRecord[] {
  const shown: JsonRecord[] = [];
  const results = turn.content.filter((block) => block.type === 'tool-result').map((block) => encodeResult(block, shown, context));
  return shown.length === 0 ? results : [...results, { role: 'user', content: shown }];
}

/** The result's text; what is no text is put into `shown` and only mentioned here. */
function encodeResult(result: ToolResultBlock, shown: JsonRecord[], context: EncodeContext): JsonRecord {
  noteResultLosses(result, context.losses);
  const texts = result.content.map((block) => {
    const part = encodePart(block, context);
    if (typeof part['text'] === 'string') return part['text'];
    shown.push({ type: 'text', text: `Part of the result of ${result.toolCallId}:` }, part);
    context.losses.approximated.add('messages.tool_result');
    return `[${block.type}]`;
  });
  return { role: 'tool', tool_call_id: result.toolCallId, content: texts.join('\n') };
}
