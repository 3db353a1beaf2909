import type { FailPoint } from '@weir/contracts';
import type { WorkerHandler } from '@weir/http-server';
import { runAttempts } from '@weir/routing';
import { sendExpressReply } from '../express/send-express-reply';
import { describeUnmetered } from '../till/open-attempt';
import { sendExpressStream } from '../express/send-express-stream';
import { sendTranslatedReply } from '../translated/send-translated-reply';
import { sendTranslatedStream } from '../translated/send-translated-stream';
import { ClientGone, openChatSession, type ChatSession } from './chat-session';
import type { DrainLimit } from './drain-limit';
import { isExpress, openExchange, type ExchangeParts, type OpenExchange, type TranslatedExchange } from './open-exchange';
import { writeReplyHead } from './write-reply-head';

export type ChatParts = ExchangeParts & {
  /** False while usage could not be journalled: nothing runs unmetered. */
  readonly isMeteringReady: () => boolean;
  readonly heartbeatMs: number;
  readonly whenDurable: (() => Promise<void>) | null;
  readonly now: () => number;
  readonly failPoint: FailPoint;
  readonly drains: DrainLimit;
};

/** THE story of a chat request: choose a lane, run attempts, send the reply, settle on the way. */
export function createChatHandler(parts: ChatParts): WorkerHandler {
  return async (work) => {
    if (!parts.isMeteringReady()) throw describeUnmetered();
    const session = openChatSession(work, parts.now);
    try {
      const { opened, index: attemptIndex } = await runAttempts(work.passport.attempts, (attempt, index) =>
        openExchange(session, { attempt, index }, parts),
      );
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
