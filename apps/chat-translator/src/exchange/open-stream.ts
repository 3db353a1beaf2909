import { openStream as open, writeStreamHead, type StreamLane, type StreamOptions } from '@weir/exchange';
import type { ChatSession } from '../session/chat-session';
import { isExpress, type OpenExchange } from './open-exchange';
import { writeChatHead, type SendReply } from './send-reply';

export type { StreamLane, StreamOptions };

/** Passes a stream on. Its beginning is buffered where another attempt could still follow. Returns a function that waits for its end. */
export function openStream(
  session: ChatSession,
  exchange: OpenExchange,
  lane: StreamLane,
  options: StreamOptions,
): SendReply | Promise<SendReply> {
  const sendHead = (): void => {
    // No other attempt follows, and of this one only the frames matter from now on.
    if (isExpress(exchange)) {
      exchange.most.read();
      session.releaseParsedBody();
    }
    writeChatHead(session, exchange);
    writeStreamHead(session.response);
  };
  return open(lane, { session, exchange, sendHead, isHeldBack: session.forwarded.passport.attempts.length > 1 }, options);
}
