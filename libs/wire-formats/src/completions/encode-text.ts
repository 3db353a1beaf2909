import type { ContentBlock, FinishReason } from '@weir/canonical';
import { CALLS_DROPPED } from '../chat-completions/encode-finish';
import { dropAbsent } from '../fields/drop-absent';
import { mintReplyId } from '../reply/mint-reply-id';
import { nameOpaque } from '../reply/name-opaque';
import { PICTURES_DROPPED } from '../reply/read-picture';
import type { ReplyContext } from '../dialect/wire-format';

/** The name of the loss of reasoning: this dialect holds only the text of a reply. */
export const REASONING_DROPPED = 'reply.reasoning_content';
export const SEARCHES_DROPPED = 'reply.web_search';

const WORDS: Record<FinishReason['unified'], string> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'context-full': 'length',
  'tool-calls': 'stop',
  'content-filter': 'content_filter',
  pause: 'stop',
  error: 'stop',
};

function encodeTextFinish({ unified }: FinishReason): string {
  return WORDS[unified];
}

type ReplyHead = {
  readonly id: string;
  readonly model: string;
  readonly createdAtSeconds: number;
  readonly systemFingerprint?: string | undefined;
};

export function encodeTextHead(reply: ReplyHead, context: ReplyContext) {
  return {
    id: mintReplyId(reply.id, 'cmpl-', context),
    object: 'text_completion',
    created: reply.createdAtSeconds > 0 ? reply.createdAtSeconds : Math.floor(context.nowMs / 1000),
    model: reply.model === '' ? context.modelId : reply.model,
    ...dropAbsent({ system_fingerprint: reply.systemFingerprint }),
  };
}

export function encodeTextChoice(index: number, text: string, finish: FinishReason | null) {
  return { text, index, logprobs: null, finish_reason: finish === null ? null : encodeTextFinish(finish) };
}

/** The words of a block; what the dialect has no word for is noted. */
export function readTextBlock(block: ContentBlock, noteDropped: ReplyContext['noteDropped']): string {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return block.text;
    case 'reasoning':
      if (block.text !== '') noteDropped?.(REASONING_DROPPED);
      return '';
    case 'tool-call':
      noteDropped?.(CALLS_DROPPED);
      return '';
    case 'web-search':
      noteDropped?.(SEARCHES_DROPPED);
      return '';
    case 'image':
      noteDropped?.(PICTURES_DROPPED);
      return '';
    case 'opaque':
      noteDropped?.(nameOpaque(block));
      return '';
    default:
      return '';
  }
}
