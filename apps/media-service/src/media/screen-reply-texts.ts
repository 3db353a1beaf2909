import { VERDICT_HEADER, type RequestGuard } from '@weir/exchange';
import type { ServerResponse } from 'node:http';

/** What guards a reply, and the response whose head has the verdict. */
export type ReplyGuard = { readonly guard: RequestGuard | undefined; readonly response: Pick<ServerResponse, 'setHeader'> };

type ScreenedTexts = { readonly texts: readonly (readonly string[])[]; readonly isMasked: boolean };

/**
 * Runs the guardrails over the texts of a reply, each in its pieces. Undefined where none concerns it. Whether the
 * reply may pass at all is known from `guard.refusal()` afterwards.
 */
export async function screenReplyTexts(
  { guard, response }: ReplyGuard,
  texts: readonly (readonly string[])[],
): Promise<ScreenedTexts | undefined> {
  if (guard?.concernsReplies() !== true) return undefined;
  const screened = await guard.checkReplyTexts(texts);
  response.setHeader(VERDICT_HEADER, guard.verdict());
  return { texts: screened.map(({ pieces }) => pieces), isMasked: screened.some(({ isMasked }) => isMasked) };
}
