import { sendJson, writeReplyHead, writeUsageSource } from '@weir/exchange';
import { isLargeText, yieldEventLoop, type WorkerHandler } from '@weir/http-server';
import type { ChatParts } from '../chat/handle-chat-request';
import { EmbeddingSession } from './embedding-session';
import { runEmbeddingAttempt } from './run-embedding-attempt';

type EmbeddingParts = Omit<ChatParts, 'heartbeatMs' | 'failPoint' | 'drains' | 'rest' | 'inlineMedia'>;

/** The life of an embedding request: check it, run attempts until one has replied and is settled, send the response. */
export function createEmbeddingsHandler(parts: EmbeddingParts): WorkerHandler {
  const serve = async (session: EmbeddingSession): Promise<void> => {
    session.checkMetering();
    const { passport } = session.forwarded;
    if (passport.guardrails !== undefined) await parts.guardRequest(session);
    checkAsked(session);
    if (isLargeText(session.forwarded.body)) await yieldEventLoop();
    const { opened, place } = await parts.runner.run(passport, (one) => runEmbeddingAttempt(session, one, parts), session);
    const durable = parts.whenDurable();
    if (durable !== null) await durable;
    writeReplyHead(session, opened.lane, place.number - 1, opened.served?.modelId);
    writeUsageSource(session.response, opened.usage);
    sendJson(session.response, opened.text, opened.costUsd);
  };
  return (forwarded) => new EmbeddingSession(forwarded, parts).serve(serve);
}

/** Throws what is wrong with the request before any attempt is made. */
function checkAsked(session: EmbeddingSession): void {
  void session.asked;
}
