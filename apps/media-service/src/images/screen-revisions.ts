import type { ImageReply } from '@weir/canonical';
import { screenReplyTexts, type ReplyGuard } from '../media/screen-reply-texts';

/** Has the guardrails look at the prompts that a provider wrote anew: all that pictures come with in words. */
export async function screenRevisions(reply: ImageReply, place: ReplyGuard): Promise<ImageReply> {
  const prompts = reply.images.map(({ revisedPrompt = '' }) => [revisedPrompt]);
  const screened = await screenReplyTexts(place, prompts);
  if (screened === undefined) return reply;
  const images = reply.images.map((image, at) =>
    image.revisedPrompt === undefined ? image : { ...image, revisedPrompt: screened.texts[at]?.[0] ?? '' },
  );
  return { ...reply, images };
}
