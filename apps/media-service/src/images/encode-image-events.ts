import type { ImageFacts } from '@weir/canonical';
import type { PricedMedia } from '../media/close-media-attempt';
import { encodeFrame, encodeWithUsage } from '../media/encode-priced';
import { encodeFacts, encodeImageUsage } from './encode-image-reply';

type Shown = {
  readonly base64?: string | undefined;
  readonly url?: string | undefined;
  readonly createdSeconds: number;
  readonly facts: ImageFacts;
};

/** A picture in the making. */
export function encodePartial(endpointId: string, { index, ...shown }: Shown & { readonly index: number }): string {
  const type = `${prefixOf(endpointId)}.partial_image`;
  return encodeFrame(type, JSON.stringify({ type, ...encodeShown(shown), partial_image_index: index }));
}

/** A finished picture. Of several, the last one carries the usage of all. */
export function encodeCompleted(endpointId: string, { priced, ...shown }: Shown & { readonly priced: PricedMedia | undefined }): string {
  const type = `${prefixOf(endpointId)}.completed`;
  const body = { type, ...encodeShown(shown) };
  return encodeFrame(type, priced === undefined ? JSON.stringify(body) : encodeWithUsage(body, encodeImageUsage(priced)));
}

function encodeShown({ base64, url, createdSeconds, facts }: Shown): object {
  return {
    ...(base64 === undefined ? {} : { b64_json: base64 }),
    ...(url === undefined ? {} : { url }),
    created_at: createdSeconds,
    ...encodeFacts(facts),
  };
}

function prefixOf(endpointId: string): string {
  return endpointId === 'image-edits' ? 'image_edit' : 'image_generation';
}
