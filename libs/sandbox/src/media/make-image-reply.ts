import type { UpstreamCall, UpstreamResponse } from '@weir/upstream-http';
import { asText } from '@weir/canonical';
import { countTokens } from '../endpoint/count-tokens';
import { readDirectives, type Directives } from '../endpoint/read-directives';
import { respondFrames, respondWhole } from '../endpoint/respond';
import type { SandboxEndpoint, SandboxQuestion } from '../endpoint/sandbox-endpoint';
import { drawImage, type Drawing } from './draw-image';

const SIDE_MAX = 4096;
const COUNT_MAX = 10;
/** What an image of 1024 by 1024 costs by its quality, and what each one to be edited costs. */
const OUTPUT_TOKENS: Readonly<Record<string, number>> = { low: 272, medium: 1056, high: 4160 };
const INPUT_IMAGE_TOKENS = 100;
const BLUR_MAX = 24;

/** Pictures that show the text of their prompt. The one model is charged by the picture, the other by tokens. */
export const IMAGES: SandboxEndpoint = {
  models: new Set(['image', 'image-tokens']),
  findFault,
  readDirectives: ({ body }) => readDirectives(asText(body['prompt']) ?? ''),
  answer: (call, question) => (String(question.body['stream']) === 'true' ? answerStream(call, question) : answerWhole(call, question)),
};

type Question = SandboxQuestion & { readonly directives: Directives };

function findFault({ body }: SandboxQuestion): string | undefined {
  if (asText(body['prompt']) === undefined) return 'The body must be an object with a prompt.';
  const { width, height } = readSize(body['size']);
  return width >= 1 && height >= 1 && width <= SIDE_MAX && height <= SIDE_MAX ? undefined : 'This size is not supported.';
}

async function answerWhole(call: UpstreamCall, question: Question): Promise<UpstreamResponse> {
  const count = Math.min(COUNT_MAX, Math.max(1, Number(question.body['n'] ?? 1) || 1));
  const data: { b64_json: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    data.push({ b64_json: (await drawImage(planDrawing(question, { index, blur: 0 }))).toString('base64') });
  }
  const facts = question.body['model'] === 'image-tokens' ? describeFacts(question) : {};
  const whole = JSON.stringify({ created: nowSeconds(), data, ...facts, ...reportUsage(question, count) });
  return respondWhole(call, whole, question.directives);
}

async function answerStream(call: UpstreamCall, question: Question): Promise<UpstreamResponse> {
  const partials = Math.min(3, Number(question.body['partial_images'] ?? 0) || 0);
  const kind = call.url.endsWith('/edits') ? 'image_edit' : 'image_generation';
  const common = { created_at: nowSeconds(), ...describeFacts(question) };
  const list: string[] = [];
  for (let index = 0; index < partials; index += 1) {
    const drawn = await drawImage(planDrawing(question, { index: 0, blur: BLUR_MAX / (index + 1) }));
    const type = `${kind}.partial_image`;
    list.push(toFrame(type, { type, ...common, b64_json: drawn.toString('base64'), partial_image_index: index }));
  }
  const drawn = await drawImage(planDrawing(question, { index: 0, blur: 0 }));
  const type = `${kind}.completed`;
  list.push(toFrame(type, { type, ...common, b64_json: drawn.toString('base64'), ...reportUsage(question, 1) }));
  return respondFrames(call, { type: 'text/event-stream', list }, question.directives);
}

function toFrame(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function planDrawing({ body, files, directives }: Question, { index, blur }: Pick<Drawing, 'index' | 'blur'>): Drawing {
  return {
    text: directives.text,
    ...readSize(body['size']),
    format: readFormat(body['output_format']),
    compression: Number(body['output_compression'] ?? 90),
    isTransparent: body['background'] === 'transparent',
    picture: files.find(({ field }) => field === 'image')?.bytes,
    index,
    blur,
  };
}

function describeFacts({ body }: Question): object {
  const { width, height } = readSize(body['size']);
  return {
    background: body['background'] === 'transparent' ? 'transparent' : 'opaque',
    output_format: readFormat(body['output_format']),
    size: `${width}x${height}`,
    quality: readQuality(body['quality']),
  };
}

function reportUsage({ body, files, directives }: Question, count: number): object {
  if (directives.hidesUsage || body['model'] !== 'image-tokens') return {};
  const { width, height } = readSize(body['size']);
  const perImage = Math.ceil(((OUTPUT_TOKENS[readQuality(body['quality'])] ?? 0) * width * height) / 2 ** 20);
  const text = countTokens(directives.text);
  const images = files.filter(({ field }) => field === 'image').length * INPUT_IMAGE_TOKENS;
  const output = perImage * count;
  return {
    usage: {
      total_tokens: text + images + output,
      input_tokens: text + images,
      output_tokens: output,
      input_tokens_details: { text_tokens: text, image_tokens: images },
    },
  };
}

function readSize(size: unknown): { width: number; height: number } {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(asText(size) ?? '') ?? [];
  return width === undefined ? { width: 1024, height: 1024 } : { width: Number(width), height: Number(height) };
}

function readFormat(format: unknown): Drawing['format'] {
  return format === 'jpeg' || format === 'webp' ? format : 'png';
}

function readQuality(quality: unknown): string {
  return Object.hasOwn(OUTPUT_TOKENS, String(quality)) ? String(quality) : 'medium';
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
