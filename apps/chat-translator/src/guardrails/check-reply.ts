import { VERDICT_HEADER, type RequestGuard } from '@weir/exchange';
import type { ChatSession } from '../session/chat-session';

/** Changes a reply into what its caller may see. */
export type Rewrite = (text: string) => string;

/**
 * Has the guardrails check a whole reply before it is settled. Returns a function that rewrites it, and sets the header with
 * the verdict. The session's guard has the refusal afterwards, if there is one.
 */
export function checkReply({ guard, dialect, response }: ChatSession, write: () => string): Rewrite | Promise<Rewrite> {
  return guard?.concernsReplies() === true ? checkGuarded({ guard, dialect, response }, write) : asItIs;
}

const asItIs: Rewrite = (text) => text;

type Guarded = Pick<ChatSession, 'dialect' | 'response'> & { readonly guard: RequestGuard };

async function checkGuarded({ guard, dialect, response }: Guarded, write: () => string): Promise<Rewrite> {
  const text = write();
  if (guard.needsWholeReplies) await guard.askAboutReply(guard.listReplyTexts(text, dialect));
  // Called once for the verdict alone: the response has the cost in it, and the cost depends on the verdict.
  guard.rewriteReply(text, dialect);
  response.setHeader(VERDICT_HEADER, guard.verdict());
  return (priced) => guard.rewriteReply(priced, dialect);
}
