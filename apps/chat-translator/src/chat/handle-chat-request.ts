import { GatewayError } from '@weir/errors';
import type { WorkerHandler } from '@weir/http-server';
import { runAttempts } from '@weir/routing';
import { sendExpressReply } from '../express/send-express-reply';
import { sendExpressStream } from '../express/send-express-stream';
import { sendTranslatedReply } from '../translated/send-translated-reply';
import { sendTranslatedStream } from '../translated/send-translated-stream';
import { ClientGone, openChatSession } from './chat-session';
import { openExchange, type ExchangeParts } from './open-exchange';
import { writeReplyHead } from './write-reply-head';

export type ChatParts = ExchangeParts & {
  /** False while usage could not be journalled: nothing runs unmetered. */
  readonly isMeteringReady: () => boolean;
  readonly heartbeatMs: number;
  readonly now: () => number;
};

/** THE story of a chat request: choose a lane, run attempts, send the reply, settle on the way. */
export function createChatHandler(parts: ChatParts): WorkerHandler {
  return async (work) => {
    if (!parts.isMeteringReady()) throw new GatewayError('overloaded', 'The gateway cannot record usage at the moment. Try again shortly.', { retryAfterSeconds: 30 });
    const session = openChatSession(work, parts.now);
    try {
      // A stream nobody waits for is not opened; a whole reply is billed by the provider anyway, so it may finish.
      let isOpen = false;
      if (work.passport.stream) session.onClientGone(() => isOpen || session.abort(new ClientGone()));
      const { opened, index } = await runAttempts(work.passport.attempts, (attempt, at) => openExchange(session, attempt, at, parts));
      isOpen = true;
      writeReplyHead(session, opened.lane, index);
      if (work.passport.stream) {
        await (opened.lane.kind === 'express' ? sendExpressStream(session, opened, opened.lane, parts) : sendTranslatedStream(session, opened, opened.lane, parts));
      } else {
        await (opened.lane.kind === 'express' ? sendExpressReply(session, opened, opened.lane) : sendTranslatedReply(session, opened, opened.lane, parts));
      }
    } catch (error) {
      if (!(error instanceof ClientGone)) throw error;
    } finally {
      session.close();
    }
  };
}
