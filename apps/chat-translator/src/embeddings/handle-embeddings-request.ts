import type { WorkerHandler } from '@weir/http-server';
import { runAttempts } from '@weir/routing';
import { ClientGone } from '../chat/chat-session';
import type { ChatParts } from '../chat/handle-chat-request';
import { sendJson, writeReplyHead } from '../chat/write-reply-head';
import { describeUnmetered } from '../till/open-attempt';
import { openEmbeddingSession } from './embedding-session';
import { runEmbeddingAttempt } from './run-embedding-attempt';

export type EmbeddingParts = Omit<ChatParts, 'heartbeatMs' | 'failPoint' | 'drains' | 'inlineMedia'>;

/** THE story of an embedding request: check it, run attempts until one has answered and is paid for, send the reply. */
export function createEmbeddingsHandler(parts: EmbeddingParts): WorkerHandler {
  return async (work) => {
    if (!parts.isMeteringReady()) throw describeUnmetered();
    const session = openEmbeddingSession(work, parts.now);
    try {
      const { opened, index: attemptIndex } = await runAttempts(work.passport.attempts, (attempt, index) =>
        runEmbeddingAttempt(session, { attempt, index }, parts),
      );
      await parts.whenDurable?.();
      writeReplyHead(session, opened.lane, attemptIndex);
      sendJson(session.response, opened.text, opened.costUsd);
    } catch (error) {
      if (!(error instanceof ClientGone)) throw error;
    } finally {
      session.close();
    }
  };
}
