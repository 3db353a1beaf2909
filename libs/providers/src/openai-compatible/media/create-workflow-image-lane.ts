import { stringifyExactJson, type ImageReply, type ImageRequest, type LossReport } from '@weir/canonical';
import type { ProviderTarget } from '../../provider/target';
import { unreadableReply, unsupported } from '../../failures/unsupported';
import { readBase64 } from '../../media/base64';
import { findNearestRatio, parseSize } from '../../media/nearest-size';
import { pickImageFields } from '../../media/pick-image-fields';
import { readJsonReply } from '../../media/read-json-reply';
import { refusedContent } from '../../media/refuse-content';
import { reportImageLosses } from '../../media/report-image-losses';
import type { ImageLane, MediaCall, MediaReply } from '../../provider/media-provider';
import { asText, withoutUndefined } from '../../wire/json-value';
import type { PlaceMedia } from './create-image-lane';

const RATIOS = ['1:1', '21:9', '16:9', '3:2', '5:4', '4:5', '2:3', '9:16', '9:21', '4:3', '3:4'];
const FIELDS = { seed: 'seed', guidance_scale: 'guidance_scale', num_inference_steps: 'num_inference_steps' };
const DATA_URL = /^data:[^,]{0,100},/;
const FILTERED = 'CONTENT_FILTERED';

/** Pictures by a workflow that stands for one model: its address names it, and it draws in ratios, one picture a call. */
export function createWorkflowImageLane(path: string, place: PlaceMedia): ImageLane {
  return {
    countMax: () => 1,
    encodeRequest: (request, target, losses) => place(encodeCall(path, request, target, losses), target),
    decodeReply,
  };
}

function encodeCall(path: string, request: ImageRequest, target: ProviderTarget, losses: LossReport): MediaCall {
  if (request.images.length > 0) throw unsupported('image', 'Editing pictures');
  reportImageLosses(request, ['outputFormat', 'outputCompression'], losses);
  const body = withoutUndefined({
    prompt: request.prompt,
    aspect_ratio: findNearestRatio(parseSize(request), { ratios: RATIOS }, losses),
    ...pickImageFields(request, FIELDS, losses),
  });
  const model = target.attempt.upstreamModel.split('/').map(encodeURIComponent).join('/');
  return {
    path: path.replace('{model}', model),
    headers: { accept: 'application/json' },
    body: { kind: 'json', text: stringifyExactJson(body) },
  };
}

/** One picture, or a list of them; as data with or without the head of an address. */
function decodeReply(reply: MediaReply): ImageReply {
  const { base64, finishReason, seed } = readJsonReply(reply);
  if (asText(finishReason) === FILTERED) throw refusedContent('The provider filtered the picture that it made.');
  const found: unknown[] = Array.isArray(base64) ? base64 : [base64];
  const images = found.map((image) => ({ base64: readBase64(asText(image)?.replace(DATA_URL, '')), mediaType: 'image/png' }));
  if (images.length === 0) throw unreadableReply();
  return { created: null, images, usage: null, facts: {}, ...(seed === undefined ? {} : { unmapped: { seed } }) };
}
