import type { ImageReply, ImageRequest, LossReport, MadeImage } from '@weir/canonical';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';

/** Where the models are asked: the services differ in what may be said of the file that comes back. */
export type ImageSurface = 'gemini' | 'vertex';

/** The kind of file asked for, of the two there are; only one of them is compressed. */
export function encodeImageType({ outputFormat, outputCompression }: ImageRequest, losses: LossReport): JsonRecord | undefined {
  if (outputFormat === 'webp') losses.dropped.add('output_format');
  const isJpeg = outputFormat === 'jpeg';
  if (outputCompression !== undefined && !isJpeg) losses.dropped.add('output_compression');
  const mimeType = isJpeg ? 'image/jpeg' : outputFormat === 'png' ? 'image/png' : undefined;
  if (mimeType === undefined) return undefined;
  return withoutUndefined({ mimeType, compressionQuality: isJpeg ? outputCompression : undefined });
}

export function factsOf(images: readonly MadeImage[]): ImageReply['facts'] {
  const format = images[0]?.mediaType?.replace('image/', '');
  return format === undefined ? {} : { outputFormat: format };
}
