import { NO_USAGE, promptTokens, type ChatEvent, type FinishReason, type Usage } from '@weir/canonical';
import { encodeError, type GatewayError } from '@weir/errors';
import { appendMember } from '../reply/append-member';
import { mintReplyId } from '../reply/mint-reply-id';
import { noteFinish } from '../reply/note-finish';
import { createBlockSequencer } from '../stream/block-sequencer';
import { decodeStreamFailure } from '../stream/decode-stream-failure';
import type { ChatStreamEncoder, PricedUsage, ReplyContext } from '../dialect/wire-format';
import { createMessagesBlockEncoder } from './block-encoder';
import { encodeStop } from './encode-stop';
import { encodeMessagesUsage, encodeTier, toMessagesUsage } from './encode-usage';
import { createStopFinder } from './find-stop';

type StartEvent = Extract<ChatEvent, { type: 'start' }>;

const CUT: FinishReason = { unified: 'error', upstream: null };

/** Blocks go out strictly one after another; the stop reason waits until the usage is known. */
export function createMessagesStreamEncoder(context: ReplyContext): ChatStreamEncoder {
  const blocks = createMessagesBlockEncoder(context.noteDropped);
  const stops = createStopFinder(context.asked.stop, blocks.encode);
  const sequencer = createBlockSequencer(stops.push);
  let finish = CUT;
  let serviceTier: string | undefined;
  let usageJson = '{"output_tokens":0}';
  let isOver = false;

  function encode(event: ChatEvent, priced?: PricedUsage): string {
    if (isOver) return '';
    switch (event.type) {
      case 'start':
        serviceTier = event.serviceTier;
        return encodeStart(event, context);
      case 'finish':
        if (event.choice !== 0) return '';
        sequencer.close();
        finish = stops.finish(event.finish);
        noteFinish(finish, 'messages', context.noteDropped);
        return blocks.take();
      case 'usage':
        if (priced !== undefined) usageJson = encodeMessagesUsage(priced, serviceTier);
        return '';
      case 'end':
        isOver = true;
        return encodeEnd(encodeStop(finish, blocks.hasRefused(), context), usageJson);
      case 'error':
        return fail(decodeStreamFailure(event));
      default:
        if (event.choice !== 0) return '';
        sequencer.push(event);
        return blocks.take();
    }
  }

  function fail(error: GatewayError): string {
    if (isOver) return '';
    isOver = true;
    return `event: error\ndata: ${encodeError(error, 'messages', context.requestId).body}\n\n`;
  }

  return { encode, fail, heartbeat: 'event: ping\ndata: {"type":"ping"}\n\n' };
}

function encodeStart(start: StartEvent, context: ReplyContext): string {
  const usage = toMessagesUsage(beginUsage(start.usage ?? NO_USAGE, context));
  const message = {
    id: mintReplyId(start.id, 'msg_', context),
    type: 'message',
    role: 'assistant',
    model: start.model === '' ? context.modelId : start.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, service_tier: encodeTier(start.serviceTier) },
  };
  return `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message })}\n\n`;
}

/** Most providers report usage at the end of a stream, and clients fill their gauge of the context from its beginning. */
function beginUsage(reported: Usage, { estimatePrompt }: ReplyContext): Usage {
  if (estimatePrompt === undefined || promptTokens(reported) > 0) return reported;
  return { ...reported, inputUncached: estimatePrompt() };
}

function encodeEnd(stop: Record<string, unknown>, usageJson: string): string {
  const delta = appendMember({ type: 'message_delta', delta: stop }, 'usage', usageJson);
  return `event: message_delta\ndata: ${delta}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`;
}
