import type { ChatEvent } from '@weir/canonical';
import { gatewayErrorBody, type GatewayError } from '@weir/errors';
import { CALLS_DROPPED } from '../chat-completions/encode-finish';
import { encodeChatUsage } from '../chat-completions/encode-usage';
import { isObject } from '../fields/field-readers';
import { CITATIONS_DROPPED } from '../locate-citation';
import { nameOpaque } from '../name-opaque';
import { decodeStreamFailure } from '../stream/decode-stream-failure';
import type { ChatStreamEncoder, PricedUsage, ReplyContext } from '../wire-format';
import { encodeTextChoice, encodeTextHead, REASONING_DROPPED, SEARCHES_DROPPED } from './encode-text';

/** Chunks of the older completions dialect: whole objects, each with a piece of the text. */
export function createTextStreamEncoder(context: ReplyContext): ChatStreamEncoder {
  const wantsUsage = isObject(context.body['stream_options']) && context.body['stream_options']['include_usage'] === true;
  let head = '';
  let isOver = false;

  const chunk = (...[index, text, finish]: Parameters<typeof encodeTextChoice>): string =>
    `${head}"choices":[${JSON.stringify(encodeTextChoice(index, text, finish))}]}\n\n`;

  function encode(event: ChatEvent, priced?: PricedUsage): string {
    if (isOver) return '';
    switch (event.type) {
      case 'start':
        head = `data: ${JSON.stringify(encodeTextHead(event, context)).slice(0, -1)},`;
        return '';
      case 'text-delta':
      case 'refusal-delta':
        return event.text === '' ? '' : chunk(event.choice, event.text, null);
      case 'finish':
        return chunk(event.choice, '', event.finish);
      case 'usage':
        return wantsUsage && priced !== undefined ? `${head}"choices":[],"usage":${encodeChatUsage(priced)}}\n\n` : '';
      case 'end':
        isOver = true;
        return 'data: [DONE]\n\n';
      case 'error':
        return fail(decodeStreamFailure(event));
      default:
        noteLoss(event, context.noteDropped);
        return '';
    }
  }

  function fail(error: GatewayError): string {
    if (isOver) return '';
    isOver = true;
    return `data: ${JSON.stringify({ error: gatewayErrorBody(error, context.requestId) })}\n\n`;
  }

  return { encode, fail, heartbeat: ': ping\n\n' };
}

/** What the dialect has no word for. */
function noteLoss(event: ChatEvent, noteDropped: ReplyContext['noteDropped']): void {
  if (event.type === 'reasoning-delta') noteDropped?.(REASONING_DROPPED);
  else if (event.type === 'tool-call-start') noteDropped?.(CALLS_DROPPED);
  else if (event.type === 'web-search-start') noteDropped?.(SEARCHES_DROPPED);
  else if (event.type === 'citation') noteDropped?.(CITATIONS_DROPPED);
  else if (event.type === 'opaque') noteDropped?.(nameOpaque(event.content));
}
