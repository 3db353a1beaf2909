import { VERDICT_HEADER, type RequestGuard } from '@weir/exchange';
import type { ChatSession } from '../chat/chat-session';

/** An answer as its caller may see it. */
type Rewrite = (text: string) => string;

/**
 * Has the guardrails look at a whole answer before it is settled; answers how to write it, and sets the header that tells
 * the verdict. Whether it may pass at all, the session's guard tells afterwards.
 */
export function checkReply({ guard, dialect, response }: ChatSession, write: () => string): Rewrite | Promise<Rewrite> {
  return guard?.concernsReplies === true ? checkGuarded({ guard, dialect, response }, write) : asItIs;
}

const asItIs: Rewrite = (text) => text;

type Guarded = Pick<ChatSession, 'dialect' | 'response'> & { readonly guard: RequestGuard };

async function checkGuarded({ guard, dialect, response }: Guarded, write: () => string): Promise<Rewrite> {
  const text = write();
  if (guard.needsWholeReplies) await guard.askAboutReply(guard.listReplyTexts(text, dialect));
  // Once to learn the verdict; what is sent has the cost in it, which follows from the verdict.
  guard.rewriteReply(text, dialect);
  response.setHeader(VERDICT_HEADER, guard.verdict());
  return (reported) => guard.rewriteReply(reported, dialect);
}
