import type { ChatTurn, ContentBlock } from '@weir/canonical';
import { readArray, readObject, refuseField, type JsonObject } from '../fields/field-readers';
import { decodeAssistantBlocks } from './decode-assistant-blocks';
import { decodeTextBlock, decodeUserBlock } from './decode-user-blocks';

/** A line some clients put first for their own accounting: it changes with each build and would spoil prompt caches. */
const CLIENT_BILLING_LINE = /^x-[a-z-]+-billing-header:/;

export function decodeSystem(value: unknown, path: string): ContentBlock[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  const blocks = readBlocks(value, path).map((entry, index) => {
    const block = readObject(entry, `${path}[${index}]`);
    if (block['type'] !== 'text') return refuseField(`${path}[${index}].type`, 'must be "text"');
    return decodeTextBlock(block, `${path}[${index}]`);
  });
  return blocks.filter((block) => !CLIENT_BILLING_LINE.test(block.text));
}

export function decodeMessagesTurns(value: unknown): ChatTurn[] {
  const messages = readArray(value, 'messages');
  if (messages.length === 0) return refuseField('messages', 'must hold at least one message');
  return messages.flatMap((entry, index) => decodeMessage(readObject(entry, `messages[${index}]`), `messages[${index}]`));
}

function decodeMessage(message: JsonObject, path: string): ChatTurn[] {
  const content = message['content'];
  const field = `${path}.content`;
  switch (message['role']) {
    case 'user':
      return decodeUserTurns(content, field);
    case 'assistant':
      return [{ role: 'assistant', content: decodeAssistantContent(content, field) }];
    case 'system':
      return [{ role: 'system', content: decodeSystem(content, field) }];
    default:
      return refuseField(`${path}.role`, 'must be "user", "assistant" or "system"');
  }
}

/** Tool results, which stand first in the user's message, become a turn of their own. */
function decodeUserTurns(content: unknown, path: string): ChatTurn[] {
  if (typeof content === 'string') return [{ role: 'user', content: [{ type: 'text', text: content }] }];
  const results: ContentBlock[] = [];
  const said: ContentBlock[] = [];
  readBlocks(content, path).forEach((entry, index) => {
    const block = decodeUserBlock(entry, `${path}[${index}]`);
    (block.type === 'tool-result' ? results : said).push(block);
  });
  const turns: ChatTurn[] = results.length === 0 ? [] : [{ role: 'tool', content: results }];
  if (said.length > 0 || results.length === 0) turns.push({ role: 'user', content: said });
  return turns;
}

function decodeAssistantContent(content: unknown, path: string): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return decodeAssistantBlocks(readBlocks(content, path), path);
}

function readBlocks(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  return refuseField(path, value === undefined || value === null ? 'is required' : 'must be a string or an array of blocks');
}
