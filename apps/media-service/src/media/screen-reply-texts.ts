import { VERDICT_HEADER, type RequestGuard } from '@weir/exchange';
import type { ServerResponse } from 'node:http';

/** What guards an answer, and the reply whose head tells the verdict. */
export type ReplyGuard = { readonly guard: RequestGuard | undefined; readonly response: Pick<ServerResponse, 'setHeader'> };

export type ScreenedTexts = { readonly texts: readonly (readonly string[])[]; readonly isMasked: boolean };

/**
 * Has the guardrails look at what an answer says, each text in its pieces. Undefined where none concerns it. Whether the
 * answer may pass at all, the guard tells afterwards.
 */
export async function screenReplyTexts(
  { guard, response }: ReplyGuard,
  texts: readonly (readonly string[])[],
): Promise<ScreenedTexts | undefined> {
  if (guard?.concernsReplies !== true) return undefined;
  const screened = await guard.checkReplyTexts(texts);
  response.setHeader(VERDICT_HEADER, guard.verdict());
  return { texts: screened.map(({ pieces }) => pieces), isMasked: screened.some(({ isMasked }) => isMasked) };
}
