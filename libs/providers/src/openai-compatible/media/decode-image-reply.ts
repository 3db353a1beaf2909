import {
  createCountReader,
  isNumeral,
  NO_MEDIA_USAGE,
  type ImageFacts,
  type ImageReply,
  type MadeImage,
  type MediaUsage,
} from '@weir/canonical';
import { readReportedMedia } from '../../failures/failed-reply';
import { unreadableReply } from '../../failures/unsupported';
import type { MediaReply } from '../../provider/media-provider';
import { asArray, asRecord, asText, parseJson, pickOthers, withoutUndefined, type JsonRecord } from '../../wire/json-value';

const KNOWN: ReadonlySet<string> = new Set(['created', 'data', 'background', 'output_format', 'size', 'quality', 'usage']);
const KNOWN_OF_IMAGE: ReadonlySet<string> = new Set(['b64_json', 'url', 'revised_prompt']);

/** Reads a whole reply. Throws `provider_unreadable` for one without a picture. */
export function decodeImageReply({ bytes }: Pick<MediaReply, 'bytes'>): ImageReply {
  const body = asRecord(parseJson(bytes.toString('utf8'))) ?? {};
  return readReportedMedia(
    () => readImages(body),
    () => decodeImageUsage(body['usage'], 0),
  );
}

function readImages(body: JsonRecord): ImageReply {
  const images = asArray(body['data']).map(decodeImage);
  if (images.length === 0) throw unreadableReply();
  const unmapped = pickOthers(body, KNOWN);
  return {
    created: typeof body['created'] === 'number' ? body['created'] : null,
    images,
    usage: decodeImageUsage(body['usage'], images.length),
    facts: decodeFacts(body),
    ...(unmapped === undefined ? {} : { unmapped }),
  };
}

export function decodeFacts(body: JsonRecord): ImageFacts {
  return withoutUndefined({
    background: asText(body['background']),
    outputFormat: asText(body['output_format']),
    size: asText(body['size']),
    quality: asText(body['quality']),
  });
}

/** Tokens of the output are those of images unless the provider reports them by kind. */
export function decodeImageUsage(reported: unknown, images: number): MediaUsage | null {
  const usage = asRecord(reported);
  if (usage === undefined || (!isNumeral(usage['input_tokens']) && !isNumeral(usage['output_tokens']))) return null;
  const { count, needed, part, doubt } = createCountReader();
  const input = needed(usage['input_tokens'], usage['total_tokens'], count(usage['output_tokens']));
  const output = needed(usage['output_tokens'], usage['total_tokens'], input);
  const inputImages = Math.min(input, count(asRecord(usage['input_tokens_details'])?.['image_tokens']));
  const outputText = part(asRecord(usage['output_tokens_details'])?.['text_tokens'], output);
  return {
    ...NO_MEDIA_USAGE,
    inputTextTokens: input - inputImages,
    inputImageTokens: inputImages,
    outputTextTokens: outputText,
    outputImageTokens: output - outputText,
    images,
    ...doubt(),
  };
}

function decodeImage(value: unknown): MadeImage {
  const image = asRecord(value);
  const base64 = asText(image?.['b64_json']);
  const url = asText(image?.['url']);
  if (image === undefined || (base64 === undefined && url === undefined)) throw unreadableReply();
  return withoutUndefined({ base64, url, revisedPrompt: asText(image['revised_prompt']), unmapped: pickOthers(image, KNOWN_OF_IMAGE) });
}
