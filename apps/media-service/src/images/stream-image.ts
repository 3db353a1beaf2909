import type { ImageEvent, ImageRequest, ImageStreamDecoder } from '@weir/canonical';
import { CLIENT_CLOSED, OK, type Outcome } from '@weir/exchange';
import type { OpenAttempt } from '@weir/meter';
import { closeMediaAttempt, failMediaAttempt, type PricedMedia } from '../media/close-media-attempt';
import { encodeStreamError } from '../media/encode-stream-error';
import type { MediaContext, MediaParts, OpenReply } from '../media/media-modality';
import { passEvents } from '../media/pass-events';
import { streamMediaAttempt, type MediaConsumer } from '../media/stream-media-attempt';
import { encodeCompleted, encodePartial } from './encode-image-events';
import { chooseImageUnit, completeUsage, expectImages } from './image-usage';
import type { ImagePlan } from './plan-images';

type StreamPlan = ImagePlan & { readonly decoder: ImageStreamDecoder };
type Context = MediaContext<ImageRequest>;

const MS_PER_SECOND = 1000;

/** Streams a picture while it is made. A caller that leaves is charged for the whole of it: its provider finishes it all the same. */
export function streamImage(context: Context, plan: StreamPlan, parts: MediaParts): Promise<OpenReply> {
  const { asked, place } = context;
  const stream = {
    lane: plan,
    expected: expectImages(asked, place.attempt),
    imageUnit: chooseImageUnit(place.attempt, asked, {}),
    call: plan.first,
    createConsumer: (attempt: OpenAttempt) => createImageConsumer(context, { plan, attempt }, parts),
    onCancel: 'drain',
  } as const;
  return streamMediaAttempt(context, stream, parts);
}

function createImageConsumer(
  context: Context,
  { plan, attempt }: { readonly plan: StreamPlan; readonly attempt: OpenAttempt },
  { now }: MediaParts,
): MediaConsumer {
  const { request, asked, place } = context;
  const { endpointId } = request.forwarded.passport;
  const { attempt: planned } = place;
  let priced: PricedMedia | undefined;

  const settle = (
    reported: Parameters<typeof completeUsage>[0],
    { outcome, facts }: { readonly outcome: Outcome; readonly facts: ImageEvent['facts'] },
  ): PricedMedia => {
    const use = completeUsage(reported, asked, { attempt: planned, images: 1, maxOutputTokens: plan.target.model.maxOutputTokens });
    priced ??= closeMediaAttempt(attempt, context, { ...use, outcome, imageUnit: chooseImageUnit(planned, asked, facts) });
    return priced;
  };

  const encode = (event: ImageEvent): string => {
    const shown = { base64: event.base64, createdSeconds: event.created ?? Math.floor(now() / MS_PER_SECOND), facts: event.facts };
    if (event.type === 'partial') return encodePartial(endpointId, { ...shown, index: event.index });
    return encodeCompleted(endpointId, { ...shown, priced: settle(event.usage, { outcome: OK, facts: event.facts }) });
  };

  return {
    ...passEvents(plan.decoder, encode, () => priced !== undefined),
    fail: (error) => {
      // No one charges for a picture that was never finished.
      if (priced === undefined) priced = failMediaAttempt(attempt, error);
      return encodeStreamError(request, error);
    },
    abandon: () => void settle(null, { outcome: CLIENT_CLOSED, facts: {} }),
  };
}
