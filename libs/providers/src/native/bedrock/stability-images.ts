import { NO_MEDIA_USAGE, type ImageReply, type ImageRequest, type LossReport } from '@weir/canonical';
import { explainFailure } from '../../failures/explain-failure';
import { unreadableReply, unsupported } from '../../failures/unsupported';
import { encodeFile, readBase64 } from '../../media/base64';
import { drawMask } from '../../media/draw-mask';
import { findNearestRatio, parseSize } from '../../media/nearest-size';
import { pickImageFields } from '../../media/pick-image-fields';
import { readJsonReply } from '../../media/read-json-reply';
import { refusedContent } from '../../media/refuse-content';
import { reportImageLosses, takeOneImage } from '../../media/report-image-losses';
import type { MediaReply } from '../../provider/media-provider';
import { asArray, asText, withoutUndefined, type JsonRecord } from '../../wire/json-value';
import type { ImageFamily } from './image-family';

const RATIOS = ['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21'];
const FORMATS = ['png', 'jpeg'] as const;
/** How far a picture may move away from the one given; 0 is not at all, 1 is as if there were none. */
const STRENGTH = 0.7;

/** Models that change what a mask marks. */
const INPAINTS = /inpaint/;
/** Models that draw over the lines or the shape of a picture. */
const CONTROLS = /control-(sketch|structure)/;
/** Models that start from a picture where one is given. */
const STARTS_FROM_IMAGE = /\.sd3|stable-image-ultra/;

/** The one reason that says nothing about the request. */
const FAILED = 'Inference error';

const FIELDS = { negative_prompt: 'negative_prompt', seed: 'seed' };

export const STABILITY: ImageFamily = {
  names: /(^|\.)stability\./,
  countMax: 1,
  edits: (name) => INPAINTS.test(name) || CONTROLS.test(name) || STARTS_FROM_IMAGE.test(name),
  encodeBody,
  decodeReply,
};

async function encodeBody(request: ImageRequest, name: string, losses: LossReport): Promise<JsonRecord> {
  const image = takeOneImage(request);
  const size = parseSize(request);
  if (request.outputFormat === 'webp') losses.dropped.add('output_format');
  reportImageLosses(request, ['outputFormat'], losses);
  const common = {
    prompt: request.prompt,
    output_format: FORMATS.find((format) => format === request.outputFormat),
    // One of the models needs the name of the task; the others refuse it.
    mode: name.includes('.sd3') ? (image === undefined ? 'text-to-image' : 'image-to-image') : undefined,
  };
  if (image === undefined) {
    if (INPAINTS.test(name) || CONTROLS.test(name)) throw unsupported('model', 'Making a picture without one to edit');
    const aspect_ratio = findNearestRatio(size, { ratios: RATIOS }, losses);
    return withoutUndefined({ ...common, ...pickImageFields(request, FIELDS, losses), aspect_ratio });
  }
  // The picture decides the size.
  if (size !== undefined) losses.dropped.add('size');
  return withoutUndefined({ ...common, ...(await encodeEdit(request, name, losses)), image: await encodeFile(image) });
}

async function encodeEdit(request: ImageRequest, name: string, losses: LossReport): Promise<JsonRecord> {
  if (INPAINTS.test(name)) {
    if (request.mask === undefined) throw unsupported('image', 'Editing a picture without a mask');
    return { ...pickImageFields(request, FIELDS, losses), mask: await drawMask(request.mask, 'white') };
  }
  if (request.mask !== undefined) throw unsupported('mask', 'A mask');
  if (CONTROLS.test(name)) return pickImageFields(request, { ...FIELDS, control_strength: 'control_strength' }, losses);
  // No instruction is followed here: a picture like the one given is made.
  losses.approximated.add('image');
  return { strength: STRENGTH, ...pickImageFields(request, { ...FIELDS, strength: 'strength' }, losses) };
}

function decodeReply(reply: MediaReply): ImageReply {
  const reported = readJsonReply(reply);
  const reason = asArray(reported['finish_reasons'])
    .map(asText)
    .find((text) => text !== undefined);
  if (reason === FAILED) throw explainFailure({ status: 502, headers: {}, words: { message: reason }, secrets: [] });
  if (reason !== undefined) throw refusedContent(reason);
  const images = asArray(reported['images']).map((image) => ({ base64: readBase64(image) }));
  if (images.length === 0) throw unreadableReply();
  return { created: null, images, usage: { ...NO_MEDIA_USAGE, images: images.length }, facts: {} };
}
