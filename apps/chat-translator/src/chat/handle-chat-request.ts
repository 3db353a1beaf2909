import type { FailPoint } from '@weir/contracts';
import { writeReplyHead, type DrainLimit, type RunParts } from '@weir/exchange';
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
    readonly whenDurable: (() => Promise<void>) | null;
    readonly failPoint: FailPoint;
    readonly drains: DrainLimit;
    readonly rest: ReadCoalescer;
    readonly runner: AttemptRunner;
    readonly guardRequest: GuardRequest;
  };

/** The life of a chat request: check guardrails, run attempts, send the response, settle on the way. */
export function createChatHandler(parts: ChatParts): WorkerHandler {
  const serve = async (session: ChatSession): Promise<void> => {
    session.checkMetering();
    if (session.forwarded.passport.guardrails !== undefined) await parts.guardRequest(session);
    const { opened: finish } = await parts.runner.run(session.forwarded.passport, (place) => openReply(session, place, parts), session);
    const finishing = finish();
    if (finishing !== undefined) await finishing;
  };
  return (forwarded) => new ChatSession(forwarded, parts).serve(serve);
}

/** Opens the reply of one attempt until no other attempt can follow; returns a function that sends the rest. */
async function openReply(session: ChatSession, place: AttemptPlace, parts: ChatParts): Promise<SendReply> {
  const exchange = await openExchange(session, place, parts);
  if (session.forwarded.passport.stream) return openAnyStream(session, bufferExchange(session, exchange), parts);
  const send = await readAnyReply(session, exchange, parts);
  return () => {
    writeReplyHead(session, exchange.lane, place.number - 1);
    return send();
  };
}

function openAnyStream(session: ChatSession, exchange: OpenExchange, parts: ChatParts): Promise<SendReply> {
  return isExpress(exchange)
    ? openExpressStream(session, exchange, parts)
    : openTranslatedStream(session, exchange as TranslatedExchange, parts);
}

function readAnyReply(session: ChatSession, exchange: OpenExchange, parts: ChatParts): Promise<SendReply> {
  return isExpress(exchange)
    ? readExpressReply(session, exchange, parts)
    : readTranslatedReply(session, exchange as TranslatedExchange, parts);
}
