import type { ReplyContext } from '@weir/wire-formats';
import type { ChatSession } from './chat-session';
import type { OpenExchange } from './open-exchange';

/** What encoders may know of the request they answer; what they cannot say of the reply goes into `dropped`. The request is decoded only when an encoder really looks at it. */
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
