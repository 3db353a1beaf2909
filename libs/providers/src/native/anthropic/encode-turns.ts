import type { ChatTurn } from '@weir/canonical';
import type { JsonRecord } from '../../wire/json-value';
import { ensureUserTurn } from '../../wire/ensure-user-turn';
import { encodeBlocks } from './encode-blocks';
import type { EncodeContext } from './context';

type EncodedTurns = { readonly system: JsonRecord[]; readonly messages: JsonRecord[] };
type Message = { readonly role: 'user' | 'assistant'; readonly content: JsonRecord[] };

/**
 * Turns as alternating messages. Neighbours of one role are joined, and the results of tools stand first in the message
 * that follows their calls, as the provider demands.
 */
export function encodeTurns(turns: readonly ChatTurn[], context: EncodeContext): EncodedTurns {
  const system: JsonRecord[] = [];
  const messages: Message[] = [];
  for (const turn of ensureUserTurn(turns, context.losses)) {
    if (turn.name !== undefined) context.losses.dropped.add('messages.name');
    const blocks = encodeBlocks(turn.content, context);
    if (blocks.length === 0) continue;
    if (turn.role === 'system' || turn.role === 'developer') {
      if (messages.length === 0) system.push(...blocks);
      else append(messages, 'user', toReminder(blocks, context));
    } else {
      append(messages, turn.role === 'assistant' ? 'assistant' : 'user', blocks);
    }
  }
  trimPrefill(messages.at(-1));
  return { system, messages: messages.map(({ role, content }) => ({ role, content: role === 'user' ? resultsFirst(content) : content })) };
}

function append(messages: Message[], role: Message['role'], blocks: readonly JsonRecord[]): void {
  const last = messages.at(-1);
  if (last?.role === role) last.content.push(...blocks);
  else messages.push({ role, content: [...blocks] });
}

/** Instructions in mid-conversation have no role here. */
function toReminder(blocks: readonly JsonRecord[], { losses }: EncodeContext): JsonRecord[] {
  losses.approximated.add('messages.system');
  return blocks.map((block) => (block['type'] === 'text' ? { ...block, text: `<system>${String(block['text'])}</system>` } : block));
}

function resultsFirst(content: JsonRecord[]): JsonRecord[] {
  const results = content.filter((block) => block['type'] === 'tool_result');
  return results.length === 0 ? content : [...results, ...content.filter((block) => block['type'] !== 'tool_result')];
}

/** A last message of the assistant is the beginning of its answer and must not end in space. */
function trimPrefill(last: Message | undefined): void {
  const block = last?.role === 'assistant' ? last.content.at(-1) : undefined;
  if (block?.['type'] === 'text') block['text'] = String(block['text']).trimEnd();
}
