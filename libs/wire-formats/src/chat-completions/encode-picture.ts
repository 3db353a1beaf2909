import type { MediaSource } from '@weir/canonical';

/** An entry of `images` of a message or delta, as OpenRouter writes it; undefined for a picture that is neither here nor at an address. */
export function encodePicture(source: MediaSource, index: number): unknown {
  const url = source.kind === 'url' ? source.url : source.kind === 'base64' ? `data:${source.mediaType};base64,${source.data}` : undefined;
  return url === undefined ? undefined : { type: 'image_url', image_url: { url }, index };
}
