import { readMediaFile, type MediaFile } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import sharp from 'sharp';
import { invalid } from '../media/read-fields';

const COUNT_MAX = 16;
const MIB = 1024 * 1024;
const IMAGE_BYTES_MAX = 50 * MIB;
const MASK_BYTES_MAX = 4 * MIB;
/** Small files that unfold into huge pictures are refused unseen. */
const PIXELS_MAX = 64_000_000;
const TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);

type Facts = { readonly width: number; readonly height: number; readonly hasAlpha: boolean; readonly format: string };

export type InputImages = {
  readonly images: readonly MediaFile[];
  readonly mask?: MediaFile | undefined;
  /** What the request calls each of the pictures. */
  fieldOf(index: number): string;
};

/** Checks pictures to be edited, and their mask, by what is in them. Throws a 400 that names the field; a 413 for one too large. */
export async function checkInputImages({ images, mask, fieldOf }: InputImages): Promise<void> {
  if (images.length === 0) throw invalid('image', 'is required');
  if (images.length > COUNT_MAX) throw invalid('image', `must be given at most ${COUNT_MAX} times`);
  const facts: Facts[] = [];
  for (const [index, image] of images.entries()) facts.push(await inspect(image, { field: fieldOf(index), bytesMax: IMAGE_BYTES_MAX }));
  if (mask !== undefined) await checkMask(mask, facts[0] as Facts);
}

async function checkMask(mask: MediaFile, first: Facts): Promise<void> {
  const { format, hasAlpha, width, height } = await inspect(mask, { field: 'mask', bytesMax: MASK_BYTES_MAX });
  if (format !== 'png') throw invalid('mask', 'must be a PNG file');
  if (!hasAlpha) throw invalid('mask', 'must have an alpha channel: its transparent pixels mark what to change');
  if (width !== first.width || height !== first.height) {
    throw invalid('mask', `must be as large as the first image: ${first.width}x${first.height}, not ${width}x${height}`);
  }
}

async function inspect(file: MediaFile, { field, bytesMax }: { readonly field: string; readonly bytesMax: number }): Promise<Facts> {
  if (!TYPES.has(file.type)) throw invalid(field, 'must be a PNG, JPEG or WebP file');
  if (file.size > bytesMax)
    throw new GatewayError('body_too_large', `${field} is larger than ${bytesMax} bytes. Send a smaller file.`, { field });
  const facts = await readFacts(file);
  if (facts === undefined) throw invalid(field, 'cannot be read as a picture');
  if (facts.width * facts.height > PIXELS_MAX) throw invalid(field, `must have at most ${PIXELS_MAX} pixels`);
  return facts;
}

/** Looks at the head of a picture only: nothing is unfolded. */
async function readFacts(file: MediaFile): Promise<Facts | undefined> {
  try {
    const { width, height, hasAlpha, format } = await sharp(await readMediaFile(file), { limitInputPixels: false }).metadata();
    return { width, height, hasAlpha, format };
  } catch {
    return undefined; // whatever is wrong with it, it is no picture
  }
}
