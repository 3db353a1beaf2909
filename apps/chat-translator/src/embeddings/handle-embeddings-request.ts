import { ClientGone, sendJson, writeReplyHead, writeUsageSource } from '@weir/exchange';
import { isLargeText, yieldEventLoop, type WorkerHandler } from '@weir/http-server';
import { watchAttempts } from '../session/watch-attempts';
import type { ChatParts } from '../chat/handle-chat-request';
import { describeUnmetered } from '@weir/meter';
import { openEmbeddingSession } from './embedding-session';
import { runEmbeddingAttempt } from './run-embedding-attempt';

type EmbeddingParts = Omit<ChatParts, 'heartbeatMs' | 'failPoint' | 'drains' | 'rest' | 'inlineMedia'>;

/** The life of an embedding request: check it, run attempts until one has replied and is settled, send the response. */
export function createEmbeddingsHandler(parts: EmbeddingParts): WorkerHandler {
  return async (received) => {
    if (!parts.isMeteringReady()) throw describeUnmetered();
    const { forwarded, guard } = received.passport.guardrails === undefined ? { forwarded: received } : await parts.guardRequest(received);
    const session = openEmbeddingSession(forwarded, parts.now, guard);
    try {
      if (isLargeText(session.body.text)) await yieldEventLoop();
      const { opened, place } = await parts.runner.run(
        forwarded.passport,
        (one) => runEmbeddingAttempt(session, one, parts),
        watchAttempts(forwarded, parts),
      );
      await parts.whenDurable?.();
      writeReplyHead(session, opened.lane, place.number - 1);
      writeUsageSource(session.response, opened.usage);
      sendJson(session.response, opened.text, opened.costUsd);
    } catch (error) {
      if (!(error instanceof ClientGone)) throw error;
    } finally {
      session.close();
    }
  };
}
