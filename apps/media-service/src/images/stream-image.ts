import type { ImageEvent, ImageRequest, ImageStreamDecoder } from '@weir/canonical';
import { CLIENT_CLOSED, OK, type Outcome } from '@weir/exchange';
import type { OpenAttempt } from '@weir/usage-journal';
import { closeMediaAttempt, failMediaAttempt, type PricedMedia } from '../media/close-media-attempt';
import { encodeStreamError } from '../media/encode-stream-error';
import type { MediaAsk, MediaParts, OpenReply } from '../media/media-modality';
import { passEvents } from '../media/pass-events';
import { streamMediaAttempt, type MediaConsumer } from '../media/stream-media-attempt';
import { encodeCompleted, encodePartial } from './encode-image-events';
import { chooseImageUnit, completeUsage, expectImages } from './image-usage';
import type { ImagePlan } from './plan-images';

type StreamPlan = ImagePlan & { readonly decoder: ImageStreamDecoder };
type Ask = MediaAsk<ImageRequest>;

const MS_PER_SECOND = 1000;

/** Shows a picture in the making. Whoever leaves is charged for the whole of it: its provider makes it all the same. */
export function streamImage(ask: Ask, plan: StreamPlan, parts: MediaParts): Promise<OpenReply> {
  const { asked, turn } = ask;
  const stream = {
    lane: plan,
    expected: expectImages(asked, turn.attempt),
    imageUnit: chooseImageUnit(turn.attempt, asked, {}),
    call: plan.first,
    createConsumer: (meter: OpenAttempt) => createImageConsumer(ask, { plan, meter }, parts),
    onCancel: 'drain',
  } as const;
  return streamMediaAttempt(ask, stream, parts);
}

function createImageConsumer(
  ask: Ask,
  { plan, meter }: { readonly plan: StreamPlan; readonly meter: OpenAttempt },
  { now }: MediaParts,
): MediaConsumer {
  const { request, asked, turn } = ask;
  const { endpointId } = request.forwarded.passport;
  const { attempt } = turn;
  let priced: PricedMedia | undefined;

  const settle = (
    reported: Parameters<typeof completeUsage>[0],
    { outcome, facts }: { readonly outcome: Outcome; readonly facts: ImageEvent['facts'] },
  ): PricedMedia => {
    const use = completeUsage(reported, asked, { attempt, images: 1, maxOutputTokens: plan.target.model.maxOutputTokens });
    priced ??= closeMediaAttempt(meter, ask, { ...use, outcome, imageUnit: chooseImageUnit(attempt, asked, facts) });
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
      if (priced === undefined) priced = failMediaAttempt(meter, error);
      return encodeStreamError(request, error);
    },
    abandon: () => void settle(null, { outcome: CLIENT_CLOSED, facts: {} }),
  };
}
