import type { ChatRequest } from '@weir/canonical';
import type { ReplyContext } from '@weir/wire-formats';
import type { ChatSession } from '../session/chat-session';
import type { OpenExchange } from './open-exchange';

/**
 * What an encoder of a reply may know of its request. What it cannot express of the reply goes into `dropped`. The request
 * is decoded only when an encoder reads `asked`.
 */
export function createReplyContext(session: ChatSession, exchange: OpenExchange, dropped = new Set<string>()): ReplyContext {
  return new RequestContext(session, exchange, dropped);
}

/**
 * A class, because of its getters: in an object literal each would be a new function for each object, V8 would keep a shape of its
 * own for each of them in the old heap, and the whole request with it; and code that reads such objects is never fast.
 */
class RequestContext implements ReplyContext {
  readonly requestId: string;
  readonly nowMs = Date.now();
  readonly estimatePrompt: () => number;

  constructor(
    private readonly session: ChatSession,
    private readonly exchange: OpenExchange,
    private readonly dropped: Set<string>,
  ) {
    this.requestId = session.forwarded.passport.requestId;
    this.estimatePrompt = exchange.estimatePrompt;
  }

  get modelId(): string {
    return (this.exchange.served ?? this.exchange.lane.target.attempt).modelId;
  }

  get asked(): ChatRequest {
    return this.session.asked();
  }

  get body(): Record<string, unknown> {
    return this.session.exact;
  }

  noteDropped = (what: string): void => void this.dropped.add(what);
}
