import type { ChatTurn } from '@weir/canonical';
import type { JsonRecord } from '../../wire/json-value';
import { ensureUserTurn } from '../../wire/ensure-user-turn';
import { encodeBlock } from './encode-blocks';
import type { EncodeContext } from './context';

type EncodedTurns = { readonly system: JsonRecord[]; readonly messages: JsonRecord[] };

/** `results`: results of the calls of the message before; they stand first. */
type Message = { readonly role: 'user' | 'assistant'; readonly results: JsonRecord[]; readonly content: JsonRecord[] };

const DOCUMENT_WORDS = 'The document is attached.';

/** Turns as alternating messages: neighbours of one role are joined. */
export function encodeTurns(turns: readonly ChatTurn[], context: EncodeContext): EncodedTurns {
  const system: JsonRecord[] = [];
  const messages: Message[] = [];
  for (const turn of ensureUserTurn(turns, context.losses)) {
    if (turn.name !== undefined) context.losses.dropped.add('messages.name');
    const isInstruction = turn.role === 'system' || turn.role === 'developer';
    if (isInstruction && messages.length === 0) system.push(...encodeSystem(turn, context));
    else append(messages, encodeTurn(turn, context));
  }
  trimPrefill(messages.at(-1));
  return { system, messages: messages.map((message) => toMessage(message, context)) };
}

function encodeSystem(turn: ChatTurn, context: EncodeContext): JsonRecord[] {
  const blocks = turn.content.flatMap((block) => encodeBlock(block, context));
  const kept = blocks.filter((block) => block['text'] !== undefined || block['cachePoint'] !== undefined);
  if (kept.length < blocks.length) context.losses.dropped.add('messages.system');
  return kept;
}

function encodeTurn(turn: ChatTurn, context: EncodeContext): Message {
  const message: Message = { role: turn.role === 'assistant' ? 'assistant' : 'user', results: [], content: [] };
  const isInstruction = turn.role === 'system' || turn.role === 'developer';
  for (const block of turn.content) {
    const encoded = encodeBlock(block, context);
    if (block.type === 'tool-result') message.results.push(...encoded);
    else message.content.push(...(isInstruction ? toReminder(encoded, context) : encoded));
  }
  return message;
}

/** Instructions in mid-conversation have no role here. */
function toReminder(blocks: readonly JsonRecord[], { losses }: EncodeContext): JsonRecord[] {
  losses.approximated.add('messages.system');
  return blocks.map((block) => (typeof block['text'] === 'string' ? { ...block, text: `<system>${block['text']}</system>` } : block));
}

function append(messages: Message[], next: Message): void {
  if (next.results.length === 0 && next.content.length === 0) return;
  const last = messages.at(-1);
  if (last?.role !== next.role) return void messages.push(next);
  last.results.push(...next.results);
  last.content.push(...next.content);
}

/** A document is refused in a message without any text. */
function toMessage({ role, results, content }: Message, { losses }: EncodeContext): JsonRecord {
  const all = [...results, ...content];
  if (all.some((block) => block['document'] !== undefined) && all.every((block) => block['text'] === undefined)) {
    losses.approximated.add('messages.document');
    all.push({ text: DOCUMENT_WORDS });
  }
  return { role, content: all };
}

/** A last message of the assistant is the beginning of its answer and must not end in space. */
function trimPrefill(last: Message | undefined): void {
  const block = last?.role === 'assistant' ? last.content.at(-1) : undefined;
  if (typeof block?.['text'] === 'string') block['text'] = block['text'].trimEnd();
}
