import type { ChatEvent } from '@weir/canonical';
import { gatewayErrorBody, type GatewayError } from '@weir/errors';
import type { ChatStreamEncoder, PricedUsage, ReplyContext } from '../dialect/wire-format';
import { isObject } from '../fields/field-readers';
import { decodeStreamFailure } from '../stream/decode-stream-failure';
import { encodeChatUsage } from './encode-usage';

export type StartEvent = Extract<ChatEvent, { type: 'start' }>;
/** What happens in the choices of a reply. */
export type ChoiceEvent = Exclude<ChatEvent, { type: 'start' | 'usage' | 'end' | 'error' }>;

/** What differs between dialects whose streams are chunks. */
type ChunkDialect = {
  /** What every chunk says of the reply as a whole. */
  describe(start: StartEvent): object;
  /** The text to send at the start; `head` is what every chunk begins with, open for `choices`. */
  begin(head: string): string;
  encode(event: ChoiceEvent): string;
};

/** A stream of chunks: usage only for callers that asked for it, then the last line; or an error, and nothing after it. */
export function createChunkStream(context: ReplyContext, dialect: ChunkDialect): ChatStreamEncoder {
  const wantsUsage = isObject(context.body['stream_options']) && context.body['stream_options']['include_usage'] === true;
  let head = '';
  let isOver = false;

  function encode(event: ChatEvent, priced?: PricedUsage): string {
    if (isOver) return '';
    switch (event.type) {
      case 'start':
        head = `data: ${JSON.stringify(dialect.describe(event)).slice(0, -1)},`;
        return dialect.begin(head);
      case 'usage':
        return wantsUsage && priced !== undefined ? `${head}"choices":[],"usage":${encodeChatUsage(priced)}}\n\n` : '';
      case 'end':
        isOver = true;
        return 'data: [DONE]\n\n';
      case 'error':
        return fail(decodeStreamFailure(event));
      default:
        return dialect.encode(event);
    }
  }

  function fail(error: GatewayError): string {
    if (isOver) return '';
    isOver = true;
    return `data: ${JSON.stringify({ error: gatewayErrorBody(error, context.requestId) })}\n\n`;
  }

  return { encode, fail, heartbeat: ': ping\n\n' };
}
