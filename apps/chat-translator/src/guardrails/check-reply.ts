import { VERDICT_HEADER } from '@weir/exchange';
import type { ChatSession } from '../chat/chat-session';

/**
 * Has the guardrails look at a whole answer before it is settled; answers how to write it, and sets the header that tells
 * the verdict. Whether it may pass at all, the session's guard tells afterwards.
 */
export async function checkReply({ guard, dialect, response }: ChatSession, write: () => string): Promise<(text: string) => string> {
  if (guard?.concernsReplies !== true) return (text) => text;
  const text = write();
  if (guard.needsWholeReplies) await guard.askAboutReply(guard.listReplyTexts(text, dialect));
  // Once to learn the verdict; what is sent has the cost in it, which follows from the verdict.
  guard.rewriteReply(text, dialect);
  response.setHeader(VERDICT_HEADER, guard.verdict());
  return (told) => guard.rewriteReply(told, dialect);
}
