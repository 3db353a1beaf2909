import type { MediaSource } from '@weir/canonical';
import { refuseField } from './field-readers';
import { isWebUrl, parseDataUrl } from './parse-data-url';

/** An image given as one string: a web address or a base64 data URL. */
export function decodeImageUrl(url: string, field: string): MediaSource {
  if (isWebUrl(url)) return { kind: 'url', url, field };
  const inline = parseDataUrl(url);
  if (inline === undefined) return refuseField(field, 'must be an http(s) URL or a base64 data URL');
  if (!inline.mediaType.startsWith('image/')) return refuseField(field, 'must hold an image (data:image/<type>;base64,…)');
  return { kind: 'base64', mediaType: inline.mediaType, data: inline.data, field };
}
