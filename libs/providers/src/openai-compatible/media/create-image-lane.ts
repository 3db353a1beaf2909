import { stringifyExactJson, type ImageRequest } from '@weir/canonical';
import type { ProviderTarget } from '../../provider/target';
import { unsupported } from '../../failures/unsupported';
import type { FormPart, ImageLane, MediaCall } from '../../provider/media-provider';
import { asText, withoutUndefined, type JsonRecord } from '../../wire/json-value';
import type { CompatibleProvider } from '../rules/compatible-provider.schema';
import { applyEdits } from './apply-edits';
import { decodeImageReply } from './decode-image-reply';
import { createImageStreamDecoder } from './decode-image-stream';
import { rulesOfModel, type ImageRules } from '../rules/media-rules.schema';

export type PlaceMedia = (call: MediaCall, target: ProviderTarget) => MediaCall;

const COUNT_MAX = 10;
const INPUTS_MAX = 16;
const SIZE = /^(\d+)x(\d+)$/;

/** Pictures as OpenAI makes them: JSON for a generation, a form for an edit. */
export function createImageLane(provider: CompatibleProvider, place: PlaceMedia): ImageLane | undefined {
  const { image: path, imageEdit: editPath } = provider.endpoints;
  if (path === undefined) return undefined;
  const rulesFor = ({ attempt }: ProviderTarget): ImageRules => rulesOfModel(provider.images, attempt.upstreamModel);
  return {
    countMax: (target) => rulesFor(target).countMax ?? COUNT_MAX,
    edits: (target) => editPath !== undefined && rulesFor(target).inputsMax !== 0,
    encodeRequest(request, target, losses) {
      const rules = rulesFor(target);
      checkRequest(request, rules);
      const fields = applyEdits(encodeFields(request, target, rules), rules, losses);
      if (request.images.length === 0) return place({ path, body: { kind: 'json', text: stringifyExactJson(fields) } }, target);
      if (editPath === undefined) throw unsupported('image', 'Editing pictures');
      return place({ path: editPath, body: { kind: 'form', parts: encodeParts(request, fields) } }, target);
    },
    decodeReply: (reply) => decodeImageReply(reply),
    createStreamDecoder: (target) => (rulesFor(target).hasStreams === true ? createImageStreamDecoder() : null),
  };
}

function checkRequest({ prompt, images, mask }: ImageRequest, { promptMax, inputsMax = INPUTS_MAX }: ImageRules): void {
  if (promptMax !== undefined && prompt.length > promptMax) throw unsupported('prompt', `A prompt of more than ${promptMax} characters`);
  if (images.length > inputsMax)
    throw unsupported('image', inputsMax === 0 ? 'Editing pictures' : `Editing more than ${inputsMax} pictures`);
  if (mask !== undefined && images.length === 0) throw unsupported('mask', 'A mask without a picture');
}

/** In OpenAI's words. */
function encodeFields(request: ImageRequest, target: ProviderTarget, rules: ImageRules): JsonRecord {
  const isEdit = request.images.length > 0;
  return withoutUndefined({
    model: target.attempt.upstreamModel,
    prompt: request.prompt,
    n: request.count > 1 ? request.count : undefined,
    ...encodeSize(request.size, rules),
    quality: request.quality,
    background: request.background,
    output_format: request.outputFormat,
    output_compression: request.outputCompression,
    moderation: request.moderation,
    style: isEdit ? undefined : request.style,
    input_fidelity: isEdit ? request.inputFidelity : undefined,
    user: request.endUserId,
    response_format: encodeAnswer(request, rules),
    stream: request.stream ? true : undefined,
    partial_images: request.stream ? request.partialImages : undefined,
    ...request.unmapped,
  });
}

function encodeSize(size: string | undefined, { sizeAs }: ImageRules): JsonRecord {
  if (sizeAs !== 'width-and-height' || size === undefined) return { size };
  const [, width, height] = SIZE.exec(size) ?? [];
  return width === undefined ? {} : { width: Number(width), height: Number(height) };
}

function encodeAnswer({ responseFormat }: ImageRequest, { delivery = 'as-asked', base64Word }: ImageRules): string | undefined {
  if (delivery === 'base64') return undefined;
  return responseFormat === 'b64_json' ? (base64Word ?? responseFormat) : responseFormat;
}

function encodeParts({ images, mask }: ImageRequest, fields: JsonRecord): FormPart[] {
  const name = images.length === 1 ? 'image' : 'image[]';
  return [
    ...Object.entries(fields).map(([field, value]): FormPart => ({ kind: 'field', name: field, value: toFieldText(value) })),
    ...images.map((file): FormPart => ({ kind: 'file', name, file })),
    ...(mask === undefined ? [] : [{ kind: 'file' as const, name: 'mask', file: mask }]),
  ];
}

/** A form knows text only; what is more travels as JSON. */
export function toFieldText(value: unknown): string {
  return asText(value) ?? (value === '' ? '' : stringifyExactJson(value));
}
