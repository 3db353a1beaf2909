import type { ImageRequest } from '@weir/canonical';
import type { WatchedRequest } from '@weir/exchange';
import { parseJsonBody } from '@weir/http-server';
import { IMAGES_MAX } from '@weir/limits';
import type { MediaParts } from '../media/media-modality';
import {
  invalid,
  isAbsent,
  pickUnmapped,
  readChoice,
  readFlag,
  readInteger,
  readJsonFields,
  readText,
  requireText,
  type Fields,
} from '../media/read-fields';
import { plainName, readFormFields, type FormShape } from '../media/read-form-fields';
import { checkInputImages, type InputImages } from './check-input-images';
import { readReferences } from './read-references';

const PROMPT_MAX = 32_000;
const PARTIALS_MAX = 3;
const SIZE = /^(auto|[1-9]\d{0,4}x[1-9]\d{0,4})$/;
const QUALITIES = ['auto', 'low', 'medium', 'high', 'standard', 'hd'] as const;
const BACKGROUNDS = ['auto', 'transparent', 'opaque'] as const;
const FORMATS = ['png', 'jpeg', 'webp'] as const;

/** Fields with a word in the neutral language, and those that are read elsewhere. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['model', 'prompt', 'n', 'size', 'quality', 'response_format', 'background', 'output_format', 'output_compression', 'moderation'],
  ...['style', 'input_fidelity', 'stream', 'partial_images', 'user', 'image', 'images', 'mask', 'weir', 'requesty'],
]);
const FORM: FormShape = { numbers: ['n', 'output_compression', 'partial_images'], flags: ['stream'] };

/** Reads a request for pictures, in JSON or as a form. Throws a 400 that names the field at fault. */
export async function decodeImageRequest(request: WatchedRequest, parts: MediaParts): Promise<ImageRequest> {
  const { forwarded } = request;
  const isEdit = forwarded.passport.endpointId === 'image-edits';
  const { form } = forwarded;
  if (form !== undefined) {
    const asked = decodeFields(readFormFields(form, FORM));
    const images = form.files.filter(({ field }) => plainName(field) === 'image');
    const mask = form.files.find(({ field }) => field === 'mask');
    return withImages(asked, { images, mask, fieldOf: () => 'image' });
  }
  const json = readJsonFields(forwarded.parsed ?? parseJsonBody(forwarded.body));
  const asked = decodeFields(json);
  if (!isEdit) return asked;
  return withImages(asked, { ...(await readReferences(json, request, parts)), fieldOf: (index) => `images[${index}]` });
}

function decodeFields(fields: Fields): ImageRequest {
  const outputFormat = readChoice(fields, 'output_format', FORMATS);
  const outputCompression = readInteger(fields, 'output_compression', [0, 100]);
  const background = readChoice(fields, 'background', BACKGROUNDS);
  checkOutput({ outputFormat, outputCompression, background });
  const unmapped = pickUnmapped(fields, KNOWN);
  return withoutUndefined({
    model: requireText(fields, 'model'),
    prompt: requireText(fields, 'prompt', PROMPT_MAX),
    count: readInteger(fields, 'n', [1, IMAGES_MAX]) ?? 1,
    size: readSize(fields),
    quality: readChoice(fields, 'quality', QUALITIES),
    background,
    outputFormat,
    outputCompression,
    moderation: readChoice(fields, 'moderation', ['low', 'auto']),
    style: readChoice(fields, 'style', ['vivid', 'natural']),
    inputFidelity: readChoice(fields, 'input_fidelity', ['high', 'low']),
    responseFormat: readChoice(fields, 'response_format', ['url', 'b64_json']),
    stream: readFlag(fields, 'stream'),
    partialImages: readInteger(fields, 'partial_images', [0, PARTIALS_MAX]),
    endUserId: readText(fields, 'user'),
    images: [],
    unmapped,
  });
}

type Output = { readonly [Name in 'outputFormat' | 'outputCompression' | 'background']: ImageRequest[Name] | undefined };

function checkOutput({ outputFormat = 'png', outputCompression = 100, background }: Output): void {
  if (background === 'transparent' && outputFormat === 'jpeg') {
    throw invalid('background', 'can be "transparent" only with output_format "png" or "webp"');
  }
  if (outputFormat === 'png' && outputCompression < 100) {
    throw invalid('output_compression', 'below 100 needs output_format "jpeg" or "webp"');
  }
}

function readSize(fields: Fields): string | undefined {
  const size = readText(fields, 'size');
  if (size !== undefined && !SIZE.test(size)) throw invalid('size', 'must be "auto", or a width and a height such as "1024x1024"');
  return size;
}

async function withImages(asked: ImageRequest, inputs: InputImages): Promise<ImageRequest> {
  if (asked.style !== undefined) throw invalid('style', 'is for making pictures, not for editing them');
  const { images, mask } = inputs;
  await checkInputImages(inputs);
  return { ...asked, images, ...(mask === undefined ? {} : { mask }) };
}

function withoutUndefined<Shape extends object>(shape: Shape): ImageRequest {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => !isAbsent(value))) as unknown as ImageRequest;
}
