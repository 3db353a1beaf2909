import type { FailPoint } from '@weir/contracts';
import type { DrainLimit, RunParts } from '@weir/exchange';
import type { WorkerHandler } from '@weir/http-server';
import type { AttemptRunner, AttemptPlace } from '@weir/routing';
import type { ReadCoalescer } from '@weir/upstream-http';
import { readExpressReply } from '../express/read-express-reply';
import { openExpressStream } from '../express/open-express-stream';
import { readTranslatedReply } from '../translated/read-translated-reply';
import { openTranslatedStream } from '../translated/open-translated-stream';
import type { GuardRequest } from '../guardrails/guard-request';
import { bufferExchange } from '../guardrails/buffer-exchange';
import type { SendReply } from '../exchange/send-reply';
import { ChatSession } from '../session/chat-session';
import { isExpress, openExchange, type ExchangeParts, type OpenExchange, type TranslatedExchange } from '../exchange/open-exchange';

export type ChatParts = ExchangeParts &
  RunParts & {
    readonly heartbeatMs: number;
    readonly whenDurable: () => Promise<void> | null;
    readonly failPoint: FailPoint;
    readonly drains: DrainLimit;
    readonly rest: ReadCoalescer;
    readonly runner: AttemptRunner;
    readonly guardRequest: GuardRequest;
  };

/** The life of a chat request: check guardrails, run attempts, send the response, settle on the way. */
export function createChatHandler(parts: ChatParts): WorkerHandler {
  const run = (session: ChatSession): Promise<void> => {
    const steps = { open: (place: AttemptPlace) => openReply(session, place, parts), finish: (send: SendReply) => send() };
    return parts.runner.runToEnd(session.forwarded.passport, steps, session);
  };
  const serve = (session: ChatSession): Promise<void> => {
    session.checkMetering();
    if (session.forwarded.passport.guardrails === undefined) return run(session);
    return parts.guardRequest(session).then(() => run(session));
  };
  return (forwarded) => new ChatSession(forwarded, parts).serve(serve);
}

/** Opens the reply of one attempt until no other attempt can follow; resolves with a function that sends the rest. */
function openReply(session: ChatSession, place: AttemptPlace, parts: ChatParts): Promise<SendReply> {
  return openExchange(session, place, parts, (exchange) => {
    if (session.forwarded.passport.stream) return openAnyStream(session, bufferExchange(session, exchange), parts);
    return readAnyReply(session, exchange, parts);
  });
}

function openAnyStream(session: ChatSession, exchange: OpenExchange, parts: ChatParts): SendReply | Promise<SendReply> {
  return isExpress(exchange)
    ? openExpressStream(session, exchange, parts)
    : openTranslatedStream(session, exchange as TranslatedExchange, parts);
}

function readAnyReply(session: ChatSession, exchange: OpenExchange, parts: ChatParts): SendReply | Promise<SendReply> {
  return isExpress(exchange)
    ? readExpressReply(session, exchange, parts)
    : readTranslatedReply(session, exchange as TranslatedExchange, parts);
}
