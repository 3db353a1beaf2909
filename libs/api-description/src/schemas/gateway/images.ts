import { z } from 'zod';
import { nameEvents, nameReply, nameRequest } from '../named-schemas';
import { cost, estimated } from './chat-completions-reply';
import { streamError } from './errors';
import { flag, metadata, modelId, name, text } from './shared-fields';

const count = z.int().min(0);
const quality = z.string().nullish().describe('`auto`, `high`, `medium` or `low`; older models have words of their own.');
const size = z.string().nullish().describe('`auto`, `1024x1024`, `1536x1024`, `1024x1536`, or what else the model makes.');
const background = z.enum(['auto', 'transparent', 'opaque']).nullish();
const outputFormat = z.enum(['png', 'jpeg', 'webp']).nullish();

const shared = {
  model: modelId,
  prompt: name,
  n: z
    .int()
    .min(1)
    .max(100)
    .nullish()
    .describe('How many pictures. A provider that makes fewer at a time is asked several times; 100 fit into one reply.'),
  size,
  quality,
  background: background.describe('`transparent` needs the format `png` or `webp`.'),
  output_format: outputFormat,
  output_compression: z.int().min(0).max(100).nullish(),
  response_format: z.enum(['url', 'b64_json']).nullish(),
  stream: flag,
  partial_images: z.int().min(0).max(3).nullish(),
  user: text,
};

/** Body of `POST /v1/images/generations`. */
export const imageGenerationRequest = nameRequest(
  'ImageGenerationRequest',
  z.looseObject({ ...shared, moderation: text, style: text, ...metadata }),
);

const imageReference = nameRequest(
  'ImageReference',
  z.union([
    z.looseObject({ file_id: name, image_url: z.null().optional() }),
    z.looseObject({ image_url: name.describe('An http(s) address or a base64 data URL.'), file_id: z.null().optional() }),
  ]),
  'An uploaded file, or an image by address: one of the two.',
);

/** JSON body of `POST /v1/images/edits`. */
export const imageEditRequest = nameRequest(
  'ImageEditRequest',
  z.looseObject({
    ...shared,
    images: z.array(imageReference).min(1).max(16),
    mask: imageReference.nullish(),
    input_fidelity: z.enum(['high', 'low']).nullish(),
    ...metadata,
  }),
);

const file = z.string().meta({ contentMediaType: 'application/octet-stream' });
const number = (about: string): z.ZodType => z.string().describe(about).optional();

/** Form of `POST /v1/images/edits`. All fields of a form are text, files excepted. */
export const imageEditForm = nameRequest(
  'ImageEditForm',
  z.object({
    model: modelId,
    prompt: name,
    'image[]': z.array(file).max(16).optional().describe('Up to 16 pictures; `image` for one of them works as well. One is needed.'),
    image: file.optional(),
    mask: file.optional().describe('A PNG whose transparent pixels mark what to change.'),
    n: number('How many pictures.'),
    size: z.string().optional(),
    quality: z.string().optional(),
    background: z.string().optional(),
    output_format: z.string().optional(),
    output_compression: number('0 to 100.'),
    response_format: z.string().optional(),
    input_fidelity: z.string().optional(),
    stream: z.string().optional(),
    partial_images: number('0 to 3.'),
    user: z.string().optional(),
  }),
);

const usage = nameReply(
  'ImageUsage',
  z.looseObject({
    input_tokens: count.optional(),
    output_tokens: count.optional(),
    total_tokens: count.optional(),
    cost,
    estimated,
  }),
);

export const imageReply = nameReply(
  'Images',
  z.looseObject({
    created: count,
    data: z.array(z.looseObject({ url: z.string().optional(), b64_json: z.string().optional(), revised_prompt: text })),
    usage: usage.optional(),
  }),
);

function imageEvents(family: 'image_generation' | 'image_edit'): ReadonlyMap<string, z.ZodType> {
  const partial = `${family}.partial_image`;
  const completed = `${family}.completed`;
  return nameEvents(family === 'image_edit' ? 'ImageEditEvent' : 'ImageEvent', [
    [partial, z.looseObject({ type: z.literal(partial), b64_json: z.string(), partial_image_index: count })],
    [completed, z.looseObject({ type: z.literal(completed), b64_json: z.string(), usage: usage.optional() })],
    ['error', streamError],
  ]);
}

export const imageGenerationEvents = imageEvents('image_generation');
export const imageEditEvents = imageEvents('image_edit');
