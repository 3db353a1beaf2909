import { GatewayError } from '@weir/errors';
import type { WorkerHandler } from '@weir/http-server';
import { runAttempts } from '@weir/routing';
import { sendExpressReply } from '../express/send-express-reply';
import { sendExpressStream } from '../express/send-express-stream';
import { sendTranslatedReply } from '../translated/send-translated-reply';
import { sendTranslatedStream } from '../translated/send-translated-stream';
import { ClientGone, openChatSession, type ChatSession } from './chat-session';
import { isExpress, openExchange, type ExchangeParts, type OpenExchange, type TranslatedExchange } from './open-exchange';
import { writeReplyHead } from './write-reply-head';

export type ChatParts = ExchangeParts & {
  /** False while usage could not be journalled: nothing runs unmetered. */
  readonly isMeteringReady: () => boolean;
  readonly heartbeatMs: number;
  readonly whenDurable: (() => Promise<void>) | null;
  readonly now: () => number;
};

/** THE story of a chat request: choose a lane, run attempts, send the reply, settle on the way. */
export function createChatHandler(parts: ChatParts): WorkerHandler {
  return async (work) => {
    if (!parts.isMeteringReady())
      throw new GatewayError('overloaded', 'The gateway cannot record usage at the moment. Try again shortly.', { retryAfterSeconds: 30 });
    const session = openChatSession(work, parts.now);
    try {
      // A stream nobody waits for is not opened; a whole reply is billed by the provider anyway, so it may finish.
      let isOpen = false;
      if (work.passport.stream) session.onClientGone(() => isOpen || session.abort(new ClientGone()));
      const { opened, index: attemptIndex } = await runAttempts(work.passport.attempts, (attempt, index) =>
        openExchange(session, { attempt, index }, parts),
      );
      isOpen = true;
      writeReplyHead(session, opened.lane, attemptIndex);
      await (work.passport.stream ? sendStream(session, opened, parts) : sendReply(session, opened, parts));
    } catch (error) {
      if (!(error instanceof ClientGone)) throw error;
    } finally {
      session.close();
    }
  };
}

function sendStream(session: ChatSession, exchange: OpenExchange, parts: ChatParts): Promise<void> {
  return isExpress(exchange)
    ? sendExpressStream(session, exchange, parts)
    : sendTranslatedStream(session, exchange as TranslatedExchange, parts);
}

function sendReply(session: ChatSession, exchange: OpenExchange, parts: ChatParts): Promise<void> {
  return isExpress(exchange)
    ? sendExpressReply(session, exchange, parts)
    : sendTranslatedReply(session, exchange as TranslatedExchange, parts);
}
