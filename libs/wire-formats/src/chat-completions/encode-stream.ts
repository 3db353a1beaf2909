import type { ChatEvent } from '@weir/canonical';
import { gatewayErrorBody, type GatewayError } from '@weir/errors';
import { encodeReplyTier } from '../fields/encode-reply-tier';
import { isObject } from '../fields/field-readers';
import { mintReplyId } from '../mint-reply-id';
import { decodeStreamFailure } from '../stream/decode-stream-failure';
import type { ChatStreamEncoder, PricedUsage, ReplyContext } from '../wire-format';
import { createChoiceEncoder, type ChoiceEncoder } from './choice-encoder';
import { usesLegacyFunctions } from './encode-finish';
import { encodeChatUsage } from './encode-usage';

type StartEvent = Extract<ChatEvent, { type: 'start' }>;

/** Writes chunks by joining prepared text around the one piece that changes: the delta. */
export function createChatStreamEncoder(context: ReplyContext): ChatStreamEncoder {
  const wantsUsage = isObject(context.body['stream_options']) && context.body['stream_options']['include_usage'] === true;
  const isLegacy = usesLegacyFunctions(context.body);
  const choices: ChoiceEncoder[] = [];
  let head = '';
  let isOver = false;

  function findChoice(index: number): ChoiceEncoder {
    return (choices[index] ??= createChoiceEncoder({
      head: `${head}"choices":[{"index":${index},"delta":`,
      tail: '}]}\n\n',
      isLegacy,
      noteDropped: context.noteDropped,
    }));
  }

  function encode(event: ChatEvent, priced?: PricedUsage): string {
    if (isOver) return '';
    switch (event.type) {
      case 'start':
        head = encodeHead(event, context);
        return findChoice(0).begin();
      case 'finish':
        return findChoice(event.choice).finish(event.finish);
      case 'usage':
        return wantsUsage && priced !== undefined ? `${head}"choices":[],"usage":${encodeChatUsage(priced)}}\n\n` : '';
      case 'end':
        isOver = true;
        return 'data: [DONE]\n\n';
      case 'error':
        return fail(decodeStreamFailure(event));
      default:
        return findChoice(event.choice).encode(event);
    }
  }

  function fail(error: GatewayError): string {
    if (isOver) return '';
    isOver = true;
    return `data: ${JSON.stringify({ error: gatewayErrorBody(error, context.requestId) })}\n\n`;
  }

  return { encode, fail, heartbeat: ': ping\n\n' };
}

/** What every chunk begins with, open for `choices`. */
function encodeHead(start: StartEvent, context: ReplyContext): string {
  const fixed = {
    id: mintReplyId(start.id, 'chatcmpl-', context),
    object: 'chat.completion.chunk',
    created: start.createdAtSeconds > 0 ? start.createdAtSeconds : Math.floor(context.nowMs / 1000),
    model: start.model === '' ? context.modelId : start.model,
    service_tier: encodeReplyTier(start.serviceTier),
    system_fingerprint: start.systemFingerprint,
  };
  return `data: ${JSON.stringify(fixed).slice(0, -1)},`;
}
