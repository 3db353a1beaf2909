import type { ChatTurn, ContentBlock, MediaSource, ReasoningBlock, ToolCallBlock, ToolResultBlock } from '@weir/canonical';
import { unsupportedPart } from '../../failures/unsupported';
import { asRecord, withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { shortenId } from '../../wire/shorten-id';
import { noteDocumentLosses } from '../../wire/note-document-losses';
import { noteResultLosses } from '../../wire/note-result-losses';
import type { EncodeContext } from './context';

const CALL_ID_CHARACTERS_MAX = 64;

type InputContext = EncodeContext & { readonly customCalls: ReadonlySet<string> };

/** Turns as input items. An assistant's turn becomes several: its prose, its calls and its reasoning are items of their own. */
export function encodeInput(turns: readonly ChatTurn[], context: EncodeContext): JsonRecord[] {
  const customCalls = new Set<string>();
  for (const turn of turns) {
    for (const block of turn.content) if (block.type === 'tool-call' && block.kind === 'custom') customCalls.add(block.id);
  }
  const whole = { ...context, customCalls };
  return turns.flatMap((turn) => {
    if (turn.name !== undefined) context.losses.dropped.add('messages.name');
    if (turn.role === 'assistant') return encodeAssistant(turn, whole);
    if (turn.role === 'tool') return turn.content.flatMap((block) => (block.type === 'tool-result' ? [encodeResult(block, whole)] : []));
    return encodeAsking(turn, whole);
  });
}

function encodeAsking(turn: ChatTurn, context: InputContext): JsonRecord[] {
  const role = turn.role === 'developer' && !context.target.model.supportsDeveloperRole ? 'system' : turn.role;
  const content = turn.content.filter((block) => !isEmptyText(block)).map((block) => encodePart(block, context));
  return content.length === 0 ? [] : [{ type: 'message', role, content }];
}

function encodeAssistant(turn: ChatTurn, context: InputContext): JsonRecord[] {
  const items: JsonRecord[] = [];
  for (const block of turn.content) {
    if (block.type === 'text' || block.type === 'refusal') {
      if (block.text !== '') appendProse(items, block);
    } else if (block.type === 'tool-call') items.push(encodeCall(block));
    else if (block.type === 'reasoning') items.push(...encodeReasoning(block, context));
    else if (block.type === 'opaque' && block.family === 'responses') items.push(...encodeOpaque(block.raw));
    else context.losses.dropped.add(`messages.${block.type}`);
  }
  return items;
}

/** Parts of one message stand together; anything between them begins a new message. */
function appendProse(items: JsonRecord[], block: Extract<ContentBlock, { type: 'text' | 'refusal' }>): void {
  const part =
    block.type === 'text' ? { type: 'output_text', text: block.text, annotations: [] } : { type: 'refusal', refusal: block.text };
  const last = items.at(-1);
  if (last?.['type'] === 'message') (last['content'] as unknown[]).push(part);
  else items.push({ type: 'message', role: 'assistant', content: [part] });
}

/** Ids pair calls with results; one that is too long becomes the same shorter one on both sides. */
export function encodeCallId(id: string): string {
  return shortenId(id, CALL_ID_CHARACTERS_MAX);
}

function encodeCall(block: ToolCallBlock): JsonRecord {
  if (block.kind === 'custom')
    return { type: 'custom_tool_call', call_id: encodeCallId(block.id), name: block.name, input: block.argumentsText };
  return {
    type: 'function_call',
    call_id: encodeCallId(block.id),
    name: block.name,
    arguments: block.argumentsText === '' ? '{}' : block.argumentsText,
  };
}

/** Only the encrypted form counts; its item needs no id, since nothing is stored. */
function encodeReasoning(block: ReasoningBlock, { family, losses }: InputContext): JsonRecord[] {
  const { state } = block;
  const isOwn = state !== undefined && state.kind === 'encrypted' && (state.family === family || state.family === 'responses');
  if (!isOwn) {
    losses.dropped.add('messages.reasoning');
    return [];
  }
  const summary = block.isSummary === true && block.text !== '' ? [{ type: 'summary_text', text: block.text }] : [];
  return [{ type: 'reasoning', summary, encrypted_content: state.value }];
}

function encodeOpaque(raw: unknown): JsonRecord[] {
  const item = asRecord(raw);
  return item === undefined ? [] : [item];
}

function encodeResult(block: ToolResultBlock, context: InputContext): JsonRecord {
  noteResultLosses(block, context.losses);
  const isProse = block.content.every((part) => part.type === 'text');
  const output = isProse
    ? block.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    : block.content.filter((part) => !isEmptyText(part)).map((part) => encodePart(part, context));
  const type = context.customCalls.has(block.toolCallId) ? 'custom_tool_call_output' : 'function_call_output';
  return { type, call_id: encodeCallId(block.toolCallId), output };
}

function isEmptyText(block: ContentBlock): boolean {
  return block.type === 'text' && block.text === '';
}

function encodePart(block: ContentBlock, { losses }: InputContext): JsonRecord {
  if ('cache' in block && block.cache !== undefined) losses.dropped.add('cache_control');
  noteDocumentLosses(block, losses);
  switch (block.type) {
    case 'text':
    case 'refusal':
      return { type: 'input_text', text: block.text };
    case 'image':
      return { type: 'input_image', detail: block.detail ?? 'auto', ...sourceOf(block.source, 'image_url', 'image_url') };
    case 'document':
      if (block.source.kind === 'text')
        return { type: 'input_text', text: [block.filename, block.context, block.source.text].filter(Boolean).join('\n') };
      return withoutUndefined({
        type: 'input_file',
        filename: block.source.kind === 'base64' ? (block.filename ?? 'document.pdf') : undefined,
        ...sourceOf(block.source, 'file_url', 'file_data'),
      });
    default:
      throw unsupportedPart(block, `Input of the kind "${block.type}"`);
  }
}

function sourceOf(source: MediaSource, urlField: string, dataField: string): JsonRecord {
  if (source.kind === 'url') return { [urlField]: source.url };
  if (source.kind === 'base64') return { [dataField]: `data:${source.mediaType};base64,${source.data}` };
  if (source.kind === 'text')
    return { [dataField]: `data:${source.mediaType};base64,${Buffer.from(source.text, 'utf8').toString('base64')}` };
  throw unsupportedPart(source, 'A file that is named by id');
}
