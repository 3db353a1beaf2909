import { NO_MEDIA_USAGE, type ImageReply, type ImageRequest, type LossReport } from '@weir/canonical';
import { unreadableReply, unsupported } from '../../failures/unsupported';
import { encodeFile, readBase64 } from '../../media/base64';
import { drawMask } from '../../media/draw-mask';
import { findNearestSize, parseSize, type Size } from '../../media/nearest-size';
import { pickImageFields } from '../../media/pick-image-fields';
import { readJsonObject } from '../../media/read-json-reply';
import { refusedContent } from '../../media/refuse-content';
import { reportImageLosses, takeOneImage } from '../../media/report-image-losses';
import type { MediaReply } from '../../provider/media-provider';
import { asArray, asText, withoutUndefined, type JsonRecord } from '../../wire/json-value';
import type { ImageFamily } from './image-family';

const COUNT_MAX = 5;
const VARIED_MAX = 5;

const QUALITIES: Readonly<Record<string, string>> = {
  standard: 'standard',
  low: 'standard',
  medium: 'standard',
  high: 'premium',
  hd: 'premium',
};
const ROUGHLY: ReadonlySet<string> = new Set(['low', 'medium']);

/** The one model draws in any size whose sides are multiples of 16, the other in these. */
const SIZES: readonly Size[] = [
  [1024, 1024],
  [768, 768],
  [512, 512],
  [768, 1152],
  [384, 576],
  [1152, 768],
  [576, 384],
  [768, 1280],
  [384, 640],
  [1280, 768],
  [640, 384],
  [896, 1152],
  [448, 576],
  [1152, 896],
  [576, 448],
  [768, 1408],
  [384, 704],
  [1408, 768],
  [704, 384],
  [640, 1408],
  [320, 704],
  [1408, 640],
  [704, 320],
].map(([width = 0, height = 0]) => ({ width, height }));
const STEP = 16;
const SIDE_MIN = 320;
const SIDE_MAX = 4096;

export const CANVAS: ImageFamily = {
  names: /amazon\.(titan-image|nova-canvas)/,
  countMax: COUNT_MAX,
  edits: () => true,
  encodeBody,
  decodeReply,
};

async function encodeBody(request: ImageRequest, name: string, losses: LossReport): Promise<JsonRecord> {
  if (request.outputFormat !== undefined && request.outputFormat !== 'png') losses.dropped.add('output_format');
  reportImageLosses(request, ['quality', 'outputFormat'], losses);
  const { negativeText, similarityStrength, ...generation } = pickImageFields(
    request,
    { negative_prompt: 'negativeText', similarity_strength: 'similarityStrength', seed: 'seed', cfg_scale: 'cfgScale' },
    losses,
  );
  const task = await encodeTask(request, { negativeText, similarityStrength }, losses);
  // Inside a mask the picture keeps its size.
  const isMasked = request.mask !== undefined && request.images.length > 0;
  const size = isMasked ? undefined : findSize(parseSize(request), name, losses);
  if (isMasked && parseSize(request) !== undefined) losses.dropped.add('size');
  return {
    ...task,
    imageGenerationConfig: withoutUndefined({
      numberOfImages: request.count,
      quality: encodeQuality(request, losses),
      ...size,
      ...generation,
    }),
  };
}

async function encodeTask(
  request: ImageRequest,
  { negativeText, similarityStrength }: { readonly negativeText: unknown; readonly similarityStrength: unknown },
  losses: LossReport,
): Promise<JsonRecord> {
  const words = { text: request.prompt, negativeText };
  if (request.images.length === 0) return { taskType: 'TEXT_IMAGE', textToImageParams: withoutUndefined(words) };
  if (request.mask !== undefined) {
    const image = takeOneImage(request);
    const maskImage = await drawMask(request.mask, 'black');
    const inPaintingParams = withoutUndefined({ ...words, image: image === undefined ? undefined : await encodeFile(image), maskImage });
    return { taskType: 'INPAINTING', inPaintingParams };
  }
  if (request.images.length > VARIED_MAX) throw unsupported('image', `Editing more than ${VARIED_MAX} pictures at a time`);
  // No instruction is followed here: a picture like those given is made.
  losses.approximated.add('image');
  const images = await Promise.all(request.images.map(encodeFile));
  return { taskType: 'IMAGE_VARIATION', imageVariationParams: withoutUndefined({ ...words, similarityStrength, images }) };
}

function encodeQuality({ quality }: ImageRequest, losses: LossReport): string | undefined {
  if (quality === undefined || quality === 'auto') return undefined;
  const word = QUALITIES[quality];
  if (word === undefined) losses.dropped.add('quality');
  else if (ROUGHLY.has(quality)) losses.approximated.add('quality');
  return word;
}

function findSize(size: Size | undefined, name: string, losses: LossReport): Size | undefined {
  if (size === undefined || name.includes('titan')) return findNearestSize(size, SIZES, losses);
  const side = (length: number): number => Math.min(SIDE_MAX, Math.max(SIDE_MIN, Math.round(length / STEP) * STEP));
  return findNearestSize(size, [{ width: side(size.width), height: side(size.height) }], losses);
}

function decodeReply(reply: MediaReply): ImageReply {
  const reported = readJsonObject(reply);
  const images = asArray(reported['images']).map((image) => ({ base64: readBase64(image), mediaType: 'image/png' }));
  if (images.length === 0) {
    // Some pictures may be held back while others come; a reason without any picture is a refusal.
    const reason = asText(reported['error']);
    throw reason === undefined ? unreadableReply() : refusedContent(reason);
  }
  return { created: null, images, usage: { ...NO_MEDIA_USAGE, images: images.length }, facts: { outputFormat: 'png' } };
}
