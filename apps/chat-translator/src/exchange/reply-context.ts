import type { ReplyContext } from '@weir/wire-formats';
import type { ChatSession } from '../session/chat-session';
import type { OpenExchange } from './open-exchange';

/**
 * What an encoder of a reply may know of its request. What it cannot express of the reply goes into `dropped`. The request
 * is decoded only when an encoder reads `asked`.
 */
export function createReplyContext(session: ChatSession, exchange: OpenExchange, dropped = new Set<string>()): ReplyContext {
  const { passport } = session.forwarded;
  return {
    requestId: passport.requestId,
    modelId: exchange.lane.target.attempt.modelId,
    get asked() {
      return session.asked();
    },
    body: session.body.json,
    nowMs: Date.now(),
    estimatePrompt: exchange.estimatePrompt,
    noteDropped: (what) => void dropped.add(what),
  };
}
