import { stringifyExactJson, NO_MEDIA_USAGE, type ImageReply, type ImageRequest, type LossReport, type MadeImage } from '@weir/canonical';
import type { ProviderTarget } from '../../provider/target';
import { unreadableReply } from '../../failures/unsupported';
import { encodeFile, readBase64 } from '../../media/base64';
import { drawMask } from '../../media/draw-mask';
import { findNearestRatio, parseSize, type Size } from '../../media/nearest-size';
import { pickImageFields } from '../../media/pick-image-fields';
import { readJsonReply } from '../../media/read-json-reply';
import { refusedContent } from '../../media/refuse-content';
import { reportImageLosses, takeOneImage } from '../../media/report-image-losses';
import type { MediaCall, MediaReply } from '../../provider/media-provider';
import { asRecords, asText, withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { encodeImageType, factsOf } from './image-types';

export const IMAGEN_COUNT_MAX = 4;
const RATIOS = ['1:1', '3:4', '4:3', '9:16', '16:9'];
const SQUARE = 1024;
const PARAMETERS = {
  seed: 'seed',
  negative_prompt: 'negativePrompt',
  guidance_scale: 'guidanceScale',
  person_generation: 'personGeneration',
  safety_setting: 'safetySetting',
  add_watermark: 'addWatermark',
  enhance_prompt: 'enhancePrompt',
  language: 'language',
};

type Context = { readonly target: ProviderTarget; readonly losses: LossReport };

export function isImagen(name: string): boolean {
  return name.startsWith('imagen');
}

/** Only one model of the family changes pictures; the others make them. */
export function isImagenEditor(name: string): boolean {
  return /^imagen-.*-capability-/.test(name);
}

/** Pictures by a model that only draws. */
export async function encodeImagen(request: ImageRequest, { target, losses }: Context): Promise<MediaCall> {
  const name = target.attempt.upstreamModel;
  const size = parseSize(request);
  const referenceImages = await encodeReferences(request);
  reportImageLosses(request, ['outputFormat', 'outputCompression'], losses);
  const parameters = withoutUndefined({
    sampleCount: request.count,
    aspectRatio: findNearestRatio(size, { ratios: RATIOS, square: SQUARE }, losses),
    sampleImageSize: sizeWord(size, name),
    editMode: referenceImages === undefined ? undefined : request.mask === undefined ? 'EDIT_MODE_DEFAULT' : 'EDIT_MODE_INPAINT_INSERTION',
    includeRaiReason: true,
    outputOptions: encodeImageType(request, losses),
    ...pickImageFields(request, PARAMETERS, losses),
  });
  const body = { instances: [withoutUndefined({ prompt: request.prompt, referenceImages })], parameters };
  return { path: `/models/${encodeURIComponent(name)}:predict`, body: { kind: 'json', text: stringifyExactJson(body) } };
}

function sizeWord(size: Size | undefined, name: string): string | undefined {
  const isLarge = size !== undefined && Math.max(size.width, size.height) > 1.5 * SQUARE;
  return isLarge && !name.includes('-fast-') ? '2K' : undefined;
}

async function encodeReferences(request: ImageRequest): Promise<readonly JsonRecord[] | undefined> {
  const image = takeOneImage(request);
  if (image === undefined) return undefined;
  const raw = {
    referenceType: 'REFERENCE_TYPE_RAW',
    referenceId: 1,
    referenceImage: { bytesBase64Encoded: await encodeFile(image), mimeType: image.type },
  };
  if (request.mask === undefined) return [raw];
  const mask = {
    referenceType: 'REFERENCE_TYPE_MASK',
    referenceId: 2,
    referenceImage: { bytesBase64Encoded: await drawMask(request.mask, 'white'), mimeType: 'image/png' },
    maskImageConfig: { maskMode: 'MASK_MODE_USER_PROVIDED' },
  };
  return [raw, mask];
}

/** Pictures that were filtered out are listed by reason, and not charged. */
export function decodeImagen(reply: MediaReply): ImageReply {
  const reported = readJsonReply(reply);
  const predictions = asRecords(reported['predictions']);
  const images = predictions.flatMap((prediction) =>
    asText(prediction['bytesBase64Encoded']) === undefined ? [] : [readImage(prediction)],
  );
  if (images.length > 0) {
    return { created: null, images, usage: { ...NO_MEDIA_USAGE, images: images.length }, facts: factsOf(images) };
  }
  const [reason] = predictions.flatMap((prediction) => asText(prediction['raiFilteredReason']) ?? []);
  // An empty object is what comes back when all pictures were held back and no reasons were given.
  if (reason === undefined && Object.keys(reported).length > 0) throw unreadableReply();
  throw refusedContent(reason);
}

function readImage(prediction: JsonRecord): MadeImage {
  const revisedPrompt = asText(prediction['prompt']);
  return {
    base64: readBase64(prediction['bytesBase64Encoded']),
    mediaType: asText(prediction['mimeType']) ?? 'image/png',
    ...(revisedPrompt === undefined ? {} : { revisedPrompt }),
  };
}
