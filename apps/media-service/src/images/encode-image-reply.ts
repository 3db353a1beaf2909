import { inputTokens, outputTokens, type ImageFacts, type ImageReply, type MadeImage, type MediaUsage } from '@weir/canonical';
import type { PricedMedia } from '../media/close-media-attempt';
import { encodeUsage, encodeWithUsage } from '../media/encode-priced';

export type ShownImages = {
  readonly createdSeconds: number;
  readonly images: readonly MadeImage[];
  readonly facts: ImageFacts;
  /** What the provider said beside that. */
  readonly unmapped?: ImageReply['unmapped'];
};

/** A whole reply as JSON. */
export function encodeImageReply({ createdSeconds, images, facts, unmapped }: ShownImages, priced: PricedMedia): string {
  const body = { ...unmapped, created: createdSeconds, ...encodeFacts(facts), data: images.map(encodeImage) };
  return encodeWithUsage(body, encodeImageUsage(priced));
}

export function encodeFacts({ background, outputFormat, size, quality }: ImageFacts): object {
  return {
    ...(background === undefined ? {} : { background }),
    ...(outputFormat === undefined ? {} : { output_format: outputFormat }),
    ...(quality === undefined ? {} : { quality }),
    ...(size === undefined ? {} : { size }),
  };
}

/** A model charged by the picture used no tokens; it has a cost all the same. */
export function encodeImageUsage(priced: PricedMedia): string {
  return encodeUsage(describeTokens(priced.usage), priced);
}

function describeTokens(usage: MediaUsage): object {
  const input = inputTokens(usage);
  const output = outputTokens(usage);
  return {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_tokens_details: { text_tokens: usage.inputTextTokens, image_tokens: usage.inputImageTokens },
    output_tokens_details: { text_tokens: usage.outputTextTokens, image_tokens: usage.outputImageTokens },
  };
}

function encodeImage({ base64, url, revisedPrompt, unmapped }: MadeImage): object {
  return {
    ...unmapped,
    ...(base64 === undefined ? {} : { b64_json: base64 }),
    ...(url === undefined ? {} : { url }),
    ...(revisedPrompt === undefined ? {} : { revised_prompt: revisedPrompt }),
  };
}
