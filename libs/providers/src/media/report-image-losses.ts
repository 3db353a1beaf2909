import type { ImageRequest, LossReport } from '@weir/canonical';
import { unsupported } from '../failures/unsupported';

/** Options of pictures by their public names. */
const NAMES = {
  quality: 'quality',
  background: 'background',
  outputFormat: 'output_format',
  outputCompression: 'output_compression',
  moderation: 'moderation',
  style: 'style',
  inputFidelity: 'input_fidelity',
} as const satisfies Partial<Record<keyof ImageRequest, string>>;

type ImageOption = keyof typeof NAMES;

/** Values that ask for what any provider does. */
const IDLE: ReadonlySet<unknown> = new Set([undefined, 'auto', 'opaque']);

/** Reports the options a provider has no word for; `spoken` are those it has. A transparent background is not given up but refused. */
export function reportImageLosses(request: ImageRequest, spoken: readonly ImageOption[], losses: LossReport): void {
  if (request.background === 'transparent' && !spoken.includes('background')) throw unsupported('background', 'A transparent background');
  for (const option of Object.keys(NAMES) as ImageOption[]) {
    if (!spoken.includes(option) && !IDLE.has(request[option])) losses.dropped.add(NAMES[option]);
  }
}

/** The one picture of a request to a model that edits no more than one. */
export function takeOneImage({ images }: ImageRequest): ImageRequest['images'][number] | undefined {
  if (images.length > 1) throw unsupported('image', 'Editing more than one picture at a time');
  return images[0];
}
