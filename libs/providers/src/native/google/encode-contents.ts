import type { ChatTurn, ContentBlock, ToolCallBlock, ToolResultBlock } from '@weir/canonical';
import { encodeCallInput, parseObject } from '../../wire/encode-call-input';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { noteDocumentLosses } from '../../wire/note-document-losses';
import { noteImageLosses } from '../../wire/note-image-losses';
import { ensureUserTurn } from '../../wire/ensure-user-turn';
import { encodeMedia } from './encode-media';
import type { EncodeContext } from './context';
import { isBeforeThird } from './model-age';

type EncodedContents = { readonly systemInstruction: JsonRecord | undefined; readonly contents: JsonRecord[] };
type Content = { readonly role: 'user' | 'model'; readonly parts: JsonRecord[] };
type ContentContext = EncodeContext & { readonly toolNames: ReadonlyMap<string, string> };

/** What the provider accepts instead of the signature of a call it did not make. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** A member by which an object of the provider's refers to media beside it; it refuses one that names none. Text may hold anything. */
const REFERENCE = /"\$ref"\s*:/;

/** Turns as alternating contents of user and model; results name the function they belong to. */
export function encodeContents(turns: readonly ChatTurn[], context: EncodeContext): EncodedContents {
  const whole: ContentContext = { ...context, toolNames: collectToolNames(turns) };
  const system: JsonRecord[] = [];
  const contents: Content[] = [];
  for (const turn of ensureUserTurn(turns, context.losses)) {
    if (turn.name !== undefined) context.losses.dropped.add('messages.name');
    const isInstruction = turn.role === 'system' || turn.role === 'developer';
    const parts = turn.role === 'assistant' ? encodeAnswer(turn, whole) : turn.content.flatMap((block) => encodePart(block, whole));
    if (parts.length === 0) continue;
    if (isInstruction && contents.length === 0) system.push(...parts);
    else append(contents, turn.role === 'assistant' ? 'model' : 'user', isInstruction ? toReminder(parts, context) : parts);
  }
  return { systemInstruction: system.length === 0 ? undefined : { parts: system }, contents };
}

function append(contents: Content[], role: Content['role'], parts: readonly JsonRecord[]): void {
  const last = contents.at(-1);
  if (last?.role === role) last.parts.push(...parts);
  else contents.push({ role, parts: [...parts] });
}

function toReminder(parts: readonly JsonRecord[], { losses }: EncodeContext): JsonRecord[] {
  losses.approximated.add('messages.system');
  return parts.map((part) => ('text' in part ? { text: `<system>${String(part['text'])}</system>` } : part));
}

/** Newer models demand the signature of the first call of each answer. */
function encodeAnswer(turn: ChatTurn, context: ContentContext): JsonRecord[] {
  const parts = turn.content.flatMap((block) => encodePart(block, context));
  const first = parts.find((part) => 'functionCall' in part);
  if (first !== undefined && !isBeforeThird(context.target.attempt.upstreamModel)) first['thoughtSignature'] ??= NO_SIGNATURE;
  return parts;
}

function encodePart(block: ContentBlock, context: ContentContext): JsonRecord[] {
  if ('cache' in block && block.cache !== undefined) context.losses.dropped.add('cache_control');
  switch (block.type) {
    case 'text':
    case 'refusal':
      return block.text === '' ? [] : [{ text: block.text }];
    case 'tool-call':
      return [encodeCall(block, context)];
    case 'tool-result':
      return encodeResult(block, context);
    case 'reasoning':
      // The signature alone goes back; what was shown of the thinking was a summary.
      if (block.state?.family === context.family) return [{ text: '', thoughtSignature: block.state.value }];
      context.losses.dropped.add('messages.reasoning');
      return [];
    case 'web-search':
    case 'opaque':
      context.losses.dropped.add(`messages.${block.type}`);
      return [];
    default:
      noteDocumentLosses(block, context.losses);
      if (block.type === 'document' && block.filename !== undefined && block.source.kind !== 'text') {
        context.losses.dropped.add('messages.document.filename');
      }
      noteImageLosses(block, context.losses);
      return [encodeMedia(block)];
  }
}

function encodeCall(block: ToolCallBlock, { family }: EncodeContext): JsonRecord {
  const args = encodeCallInput(block);
  const signature = block.state?.family === family ? block.state.value : undefined;
  return withoutUndefined({ functionCall: { id: block.id, name: block.name, args }, thoughtSignature: signature });
}

/** The response has to be an object, and text is one under `output`; media of it follow as parts of their own. */
function encodeResult(block: ToolResultBlock, context: ContentContext): JsonRecord[] {
  const texts: string[] = [];
  const media: JsonRecord[] = [];
  for (const part of block.content) {
    if (part.type === 'text' || part.type === 'refusal') texts.push(part.text);
    else media.push(...encodePart(part, context));
  }
  const text = texts.join('\n');
  const response = block.isError === true ? { error: text } : ((REFERENCE.test(text) ? undefined : parseObject(text)) ?? { output: text });
  const name = context.toolNames.get(block.toolCallId) ?? block.toolCallId;
  return [{ functionResponse: { id: block.toolCallId, name, response } }, ...media];
}

function collectToolNames(turns: readonly ChatTurn[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const turn of turns) for (const block of turn.content) if (block.type === 'tool-call') names.set(block.id, block.name);
  return names;
}
