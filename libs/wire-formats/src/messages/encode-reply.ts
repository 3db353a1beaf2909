import type { ChatReply } from '@weir/canonical';
import { mintReplyId } from '../reply/mint-reply-id';
import { noteFinish } from '../reply/note-finish';
import type { PricedUsage, ReplyContext } from '../dialect/wire-format';
import { encodeMessagesBlock } from './encode-blocks';
import { encodeStop } from './encode-stop';
import { encodeMessagesUsage } from './encode-usage';
import { cutStop } from './find-stop';

/** Joined from JSON texts, so that tool arguments and the cost stay as they are, digit for digit. */
export function encodeMessagesReply(reply: ChatReply, priced: PricedUsage, context: ReplyContext): string {
  const choice = reply.choices[0];
  const ended = choice?.finish ?? { unified: 'error', upstream: null };
  const { content, finish } = cutStop(choice?.content ?? [], ended, context.asked.stop);
  const hasRefused = content.some((block) => block.type === 'refusal' && block.text !== '');
  const head = {
    id: mintReplyId(reply.id, 'msg_', context),
    type: 'message',
    role: 'assistant',
    model: reply.model === '' ? context.modelId : reply.model,
  };
  noteFinish(finish, 'messages', context.noteDropped);
  const stop = encodeStop(finish, hasRefused, context);
  const blocks = content.flatMap((block) => encodeMessagesBlock(block, context.noteDropped)).join(',');
  const usage = encodeMessagesUsage(priced, reply.serviceTier);
  return `${JSON.stringify(head).slice(0, -1)},"content":[${blocks}],${JSON.stringify(stop).slice(1, -1)},"usage":${usage}}`;
}
