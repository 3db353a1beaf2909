import type { ChatReply } from '@weir/canonical';
import { appendMember } from '../reply/append-member';
import { encodeChatUsage } from '../chat-completions/encode-usage';
import { CITATIONS_DROPPED } from '../reply/locate-citation';
import { noteFinish } from '../reply/note-finish';
import type { PricedUsage, ReplyContext } from '../dialect/wire-format';
import { encodeTextChoice, encodeTextHead, readTextBlock } from './encode-text';

export function encodeTextReply(reply: ChatReply, priced: PricedUsage, context: ReplyContext): string {
  const { noteDropped } = context;
  const choices = reply.choices.map(({ index, content, finish }) => {
    if (content.some((block) => block.type === 'text' && (block.citations ?? []).length > 0)) noteDropped?.(CITATIONS_DROPPED);
    noteFinish(finish, 'chat', noteDropped);
    return encodeTextChoice(index, content.map((block) => readTextBlock(block, noteDropped)).join(''), finish);
  });
  return appendMember({ ...encodeTextHead(reply, context), choices }, 'usage', encodeChatUsage(priced));
}
