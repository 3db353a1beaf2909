import type { FailPoint } from '@weir/contracts';
import { ClientGone, type DrainLimit, writeReplyHead } from '@weir/exchange';
import type { WorkerHandler } from '@weir/http-server';
import type { AttemptRunner, AttemptPlace } from '@weir/routing';
import type { ReadCoalescer } from '@weir/upstream-http';
import { describeUnmetered } from '@weir/meter';
import { readExpressReply } from '../express/read-express-reply';
import { openExpressStream } from '../express/open-express-stream';
import { readTranslatedReply } from '../translated/read-translated-reply';
import { openTranslatedStream } from '../translated/open-translated-stream';
import type { GuardRequest } from '../guardrails/guard-request';
import { bufferExchange } from '../guardrails/buffer-exchange';
import { watchAttempts } from '../session/watch-attempts';
import { openChatSession, type ChatSession } from '../session/chat-session';
import { isExpress, openExchange, type ExchangeParts, type OpenExchange, type TranslatedExchange } from '../exchange/open-exchange';

export type ChatParts = ExchangeParts & {
  /** False while usage cannot be journalled: nothing runs unmetered. */
  readonly isMeteringReady: () => boolean;
  readonly heartbeatMs: number;
  readonly whenDurable: (() => Promise<void>) | null;
  readonly now: () => number;
  readonly failPoint: FailPoint;
  readonly drains: DrainLimit;
  readonly rest: ReadCoalescer;
  readonly runner: AttemptRunner;
  /** See AttemptWatcherParts. */
  readonly reportsOutcomes: boolean;
  readonly guardRequest: GuardRequest;
};

/** The life of a chat request: check guardrails, run attempts, send the response, settle on the way. */
export function createChatHandler(parts: ChatParts): WorkerHandler {
  return async (received) => {
    if (!parts.isMeteringReady()) throw describeUnmetered();
    const { forwarded, guard } = received.passport.guardrails === undefined ? { forwarded: received } : await parts.guardRequest(received);
    const session = openChatSession(forwarded, parts.now, guard);
    try {
      const { opened: finish } = await parts.runner.run(
        forwarded.passport,
        (place) => openReply(session, place, parts),
        watchAttempts(forwarded, parts),
      );
      await finish();
    } catch (error) {
      if (!(error instanceof ClientGone)) throw error;
    } finally {
      session.close();
    }
  };
}

/** Opens the reply of one attempt until no other attempt can follow; returns a function that sends the rest. */
async function openReply(session: ChatSession, place: AttemptPlace, parts: ChatParts): Promise<() => Promise<void>> {
  const exchange = await openExchange(session, place, parts);
  if (session.forwarded.passport.stream) return openAnyStream(session, bufferExchange(session, exchange), parts);
  const send = await readAnyReply(session, exchange, parts);
  return () => {
    writeReplyHead(session, exchange.lane, place.number - 1);
    return send();
  };
}

function openAnyStream(session: ChatSession, exchange: OpenExchange, parts: ChatParts): Promise<() => Promise<void>> {
  return isExpress(exchange)
    ? openExpressStream(session, exchange, parts)
    : openTranslatedStream(session, exchange as TranslatedExchange, parts);
}

function readAnyReply(session: ChatSession, exchange: OpenExchange, parts: ChatParts): Promise<() => Promise<void>> {
  return isExpress(exchange)
    ? readExpressReply(session, exchange, parts)
    : readTranslatedReply(session, exchange as TranslatedExchange, parts);
}
