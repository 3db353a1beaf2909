import {
  openStream as open,
  writeLateHead,
  writeStreamHead,
  type StreamConsumer,
  type StreamLane,
  type StreamOptions,
} from '@weir/exchange';
import type { ChatSession } from '../session/chat-session';
import { isExpress, type OpenExchange } from './open-exchange';
import { writeChatHead, type SendReply } from './send-reply';

export type { StreamOptions };

/** How a lane passes a chat reply on. */
export type ChatStream = Pick<StreamLane, 'heartbeat' | 'drop'> & {
  readonly consumer: StreamConsumer & {
    /** Whether an event of the reply came: comments, which keep connections open, are none. */
    hasBegun(): boolean;
    /** Whether content came, or the end: more than the events that every reply opens with. */
    hasContent(): boolean;
  };
};

/**
 * Passes a stream on. Where another attempt could still follow, it is held back until its first content, and comments keep the caller
 * waiting; elsewhere until its first event. Returns a function that waits for its end.
 */
export function openStream(
  session: ChatSession,
  exchange: OpenExchange,
  { consumer, heartbeat, drop }: ChatStream,
  options: StreamOptions,
): SendReply | Promise<SendReply> {
  const { place, mayBeFollowed, contentWithinMs } = exchange;
  const sendHead = (): void => {
    // No other attempt follows, and of this one only the frames matter from now on.
    if (isExpress(exchange)) {
      exchange.most.read();
      session.releaseParsedBody();
    }
    if (session.stopWaiting()) return writeLateHead(session, exchange.lane, place.number - 1, exchange.served?.modelId);
    writeChatHead(session, exchange);
    writeStreamHead(session.response);
  };
  const lane: StreamLane = {
    consumer,
    heartbeat,
    drop,
    isUnderWay: mayBeFollowed ? () => consumer.hasContent() : () => consumer.hasBegun(),
    wait: mayBeFollowed || session.isKeptWaiting() ? () => session.keepWaiting(options.heartbeatMs) : undefined,
    hasContent: () => consumer.hasContent(),
    contentWithinMs,
  };
  return open(lane, { session, exchange, sendHead, mayBeFollowed }, options);
}
