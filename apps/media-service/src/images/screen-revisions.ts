import type { ImageReply } from '@weir/canonical';
import { VERDICT_HEADER, type RequestGuard } from '@weir/exchange';
import type { ServerResponse } from 'node:http';

/** What guards an answer, and the reply whose head tells the verdict. */
export type ReplyGuard = { readonly guard: RequestGuard | undefined; readonly response: Pick<ServerResponse, 'setHeader'> };

/** Has the guardrails look at the prompts that a provider wrote anew: all that pictures come with in words. */
export async function screenRevisions(reply: ImageReply, { guard, response }: ReplyGuard): Promise<ImageReply> {
  if (guard?.concernsReplies !== true) return reply;
  const screened = await guard.checkReplyTexts(reply.images.map(({ revisedPrompt = '' }) => [revisedPrompt]));
  response.setHeader(VERDICT_HEADER, guard.verdict());
  const images = reply.images.map((image, at) =>
    image.revisedPrompt === undefined ? image : { ...image, revisedPrompt: screened[at]?.pieces[0] ?? '' },
  );
  return { ...reply, images };
}
