import { readMediaFile, type MediaFile } from '@weir/canonical';
import { GatewayError } from '@weir/errors';

/** Which colour marks what is to change. */
type MaskMark = 'black' | 'white';

const HALF = 128;
const PIXELS_MAX = 4096 * 4096;

/**
 * A caller's mask, whose transparent pixels mark what to change, as a picture in black and white, in base64. The library
 * is loaded when it is first needed.
 */
export async function drawMask(mask: MediaFile, mark: MaskMark): Promise<string> {
  const bytes = await readMediaFile(mask);
  const { default: sharp } = await import('sharp');
  try {
    const alpha = sharp(bytes, { limitInputPixels: PIXELS_MAX }).ensureAlpha().extractChannel('alpha');
    const { data, info } = await alpha.raw().toBuffer({ resolveWithObject: true });
    const drawn = sharp(data, { raw: { width: info.width, height: info.height, channels: 1 } }).threshold(HALF);
    const png = await (mark === 'white' ? drawn.negate() : drawn).toColourspace('b-w').png().toBuffer();
    return png.toString('base64');
  } catch (error) {
    throw new GatewayError('invalid_request', 'The mask is not a picture that can be read.', { field: 'mask', cause: error });
  }
}
