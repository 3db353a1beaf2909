import type { ChatStreamEncoder, ReplyContext } from '../dialect/wire-format';
import { encodeReplyTier } from '../reply/encode-reply-tier';
import { mintReplyId } from '../reply/mint-reply-id';
import { createChoiceEncoder, type ChoiceEncoder } from './choice-encoder';
import { createChunkStream, type StartEvent } from './chunk-stream';
import { usesLegacyFunctions } from './encode-finish';

/** Writes chunks by joining prepared text around the one piece that changes: the delta. */
export function createChatStreamEncoder(context: ReplyContext): ChatStreamEncoder {
  const isLegacy = usesLegacyFunctions(context.body);
  const choices: ChoiceEncoder[] = [];
  let head = '';

  function findChoice(index: number): ChoiceEncoder {
    return (choices[index] ??= createChoiceEncoder({
      head: `${head}"choices":[{"index":${index},"delta":`,
      tail: '}]}\n\n',
      isLegacy,
      noteDropped: context.noteDropped,
    }));
  }

  return createChunkStream(context, {
    describe: (start) => describeChunk(start, context),
    begin(opening) {
      head = opening;
      return findChoice(0).begin();
    },
    encode(event) {
      const choice = findChoice(event.choice);
      return event.type === 'finish' ? choice.finish(event.finish) : choice.encode(event);
    },
  });
}

function describeChunk(start: StartEvent, context: ReplyContext): object {
  return {
    id: mintReplyId(start.id, 'chatcmpl-', context),
    object: 'chat.completion.chunk',
    created: start.createdAtSeconds > 0 ? start.createdAtSeconds : Math.floor(context.nowMs / 1000),
    model: start.model === '' ? context.modelId : start.model,
    service_tier: encodeReplyTier(start.serviceTier),
    system_fingerprint: start.systemFingerprint,
  };
}
