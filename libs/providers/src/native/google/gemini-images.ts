import { stringifyExactJson, type ImageReply, type ImageRequest, type LossReport, type MadeImage } from '@weir/canonical';
import type { ProviderTarget } from '../../provider/target';
import { readReportedMedia } from '../../failures/failed-reply';
import { unreadableReply, unsupported } from '../../failures/unsupported';
import { encodeFile, readBase64 } from '../../media/base64';
import { findNearestRatio, parseSize, type Size } from '../../media/nearest-size';
import { pickImageFields } from '../../media/pick-image-fields';
import { readJsonObject, refuseFailure } from '../../media/read-json-reply';
import { reportImageLosses } from '../../media/report-image-losses';
import type { MediaCall, MediaReply } from '../../provider/media-provider';
import { asRecord, asText, withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { encodeImageType, factsOf, type ImageSurface } from './image-types';
import { isBeforeThird } from './model-age';
import { readMediaUsage } from './read-media-usage';
import { listParts, refusedBy } from './read-parts';

const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];
const SQUARE = 1024;
const GENERATION_FIELDS = { seed: 'seed', temperature: 'temperature', top_p: 'topP' };

type Context = { readonly target: ProviderTarget; readonly losses: LossReport; readonly surface: ImageSurface };

/** Pictures by a model that talks: the prompt is a turn, and pictures to edit stand in it. */
export async function encodeGeminiImages(request: ImageRequest, { target, losses, surface }: Context): Promise<MediaCall> {
  if (request.mask !== undefined) throw unsupported('mask', 'A mask');
  const name = target.attempt.upstreamModel;
  const size = parseSize(request);
  const output = surface === 'vertex' ? encodeImageType(request, losses) : undefined;
  reportImageLosses(request, surface === 'vertex' ? ['outputFormat', 'outputCompression'] : [], losses);
  const imageConfig = withoutUndefined({
    aspectRatio: findNearestRatio(size, { ratios: RATIOS, square: SQUARE }, losses),
    imageSize: isBeforeThird(name) ? undefined : sizeWord(size),
    imageOutputOptions: output,
  });
  const images = await Promise.all(
    request.images.map(async (file) => ({ inlineData: { mimeType: file.type, data: await encodeFile(file) } })),
  );
  const generationConfig = withoutUndefined({
    responseModalities: ['IMAGE'],
    imageConfig: Object.keys(imageConfig).length === 0 ? undefined : imageConfig,
    ...pickImageFields(request, GENERATION_FIELDS, losses),
  });
  const body = { contents: [{ role: 'user', parts: [...images, { text: request.prompt }] }], generationConfig };
  return { path: `/models/${encodeURIComponent(name)}:generateContent`, body: { kind: 'json', text: stringifyExactJson(body) } };
}

/** Models of the third generation draw in three sizes. */
function sizeWord(size: Size | undefined): string | undefined {
  if (size === undefined) return undefined;
  const longest = Math.max(size.width, size.height);
  return longest <= 1.5 * SQUARE ? '1K' : longest <= 2 * SQUARE ? '2K' : '4K';
}

export function decodeGeminiImages(reply: MediaReply): ImageReply {
  const reported = readJsonObject(reply);
  return readReportedMedia(
    () => readImages(reported),
    () => readMediaUsage(reported['usageMetadata'], 'image'),
  );
}

function readImages(reported: JsonRecord): ImageReply {
  refuseFailure(reported);
  if (!Array.isArray(reported['candidates']) && asRecord(reported['promptFeedback']) === undefined) throw unreadableReply();
  const images = listParts(reported).flatMap(readImage);
  if (images.length === 0) throw refusedBy(reported);
  const usage = readMediaUsage(reported['usageMetadata'], 'image');
  const created = Date.parse(asText(reported['createTime']) ?? '');
  return {
    created: Number.isNaN(created) ? null : Math.floor(created / 1000),
    images,
    usage: usage === null ? null : { ...usage, images: images.length },
    facts: factsOf(images),
  };
}

function readImage(part: JsonRecord): MadeImage[] {
  const inline = asRecord(part['inlineData']);
  const mediaType = asText(inline?.['mimeType']);
  if (inline === undefined || mediaType?.startsWith('image/') !== true) return [];
  return [{ base64: readBase64(inline['data']), mediaType }];
}
