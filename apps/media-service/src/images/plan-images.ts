import { createLossReport, type ImageRequest, type ImageStreamDecoder } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { findTarget, refuseUnreached, type ImageLane, type MediaCall } from '@weir/providers';
import type { MediaContext, MediaLane, MediaParts } from '../media/media-modality';

/** How pictures are made at one provider: in as many calls as it takes. */
export type ImagePlan = MediaLane & {
  readonly images: ImageLane;
  /** What each of the calls asks for. */
  readonly requests: readonly ImageRequest[];
  readonly first: MediaCall;
  /** Each call is written when its turn comes, because it may hold all pictures that go in. */
  readonly writeCall: (index: number) => MediaCall | Promise<MediaCall>;
  /** For a provider that shows pictures in the making. */
  readonly decoder: ImageStreamDecoder | null;
};

/** What we do to the pictures ourselves is not lost. */
const MADE_HERE = ['output_format', 'output_compression', 'response_format', 'n', 'stream', 'partial_images'];

/** Chooses how the pictures are made, and writes the first call. */
export async function planImages({ request, asked, place }: MediaContext<ImageRequest>, parts: MediaParts): Promise<ImagePlan> {
  const found = findTarget(place.attempt, parts, request.forwarded.headers);
  const { provider, target } = found;
  const { images } = provider;
  if (images === undefined) throw refuseUnreached(place.attempt);
  checkEditing(asked, images.edits?.(target) === true);
  const decoder = asked.stream && asked.count === 1 ? (images.createStreamDecoder?.(target) ?? null) : null;
  const requests = splitCount({ ...asked, stream: decoder !== null }, images.countMax(target));
  const losses = createLossReport();
  const first = await images.encodeRequest(requests[0] as ImageRequest, target, losses);
  for (const name of MADE_HERE) losses.dropped.delete(name);
  // All lose the same.
  const writeCall = (index: number): MediaCall | Promise<MediaCall> =>
    index === 0 ? first : images.encodeRequest(requests[index] as ImageRequest, target, createLossReport());
  return { ...found, images, requests, first, writeCall, decoder, losses };
}

function checkEditing({ images }: ImageRequest, edits: boolean): void {
  if (images.length === 0 || edits) return;
  throw new GatewayError('unsupported_field', 'image: editing pictures is not supported by the chosen model.', { field: 'image' });
}

function splitCount(asked: ImageRequest, countMax: number): ImageRequest[] {
  const requests: ImageRequest[] = [];
  for (let left = asked.count; left > 0; left -= countMax) requests.push({ ...asked, count: Math.min(left, countMax) });
  return requests;
}
