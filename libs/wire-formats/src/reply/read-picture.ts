import type { ContentBlock, MediaSource } from '@weir/canonical';
import { isObject } from '../fields/field-readers';
import { RESPONSES_FAMILY } from '../state/native-family';

/** The picture that a block of a reply holds; undefined for a block that holds none. */
export function readPicture(block: ContentBlock): MediaSource | undefined {
  if (block.type === 'image') return block.source;
  if (block.type !== 'opaque' || block.family !== RESPONSES_FAMILY || !isObject(block.raw)) return undefined;
  const { type, result, output_format: format } = block.raw;
  if (type !== 'image_generation_call' || typeof result !== 'string' || result === '') return undefined;
  return { kind: 'base64', mediaType: `image/${typeof format === 'string' ? format : 'png'}`, data: result };
}

/** The name of the loss of a picture, in a dialect that has no word for any, or not for one with an address. */
export const PICTURES_DROPPED = 'reply.images';
