import type { ImageEvent, ImageRequest, ImageStreamDecoder } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { OK, openStream, writeReplyHead, writeStreamHead, type Outcome, type StreamConsumer } from '@weir/exchange';
import { dispatchMediaCall, type MediaCall } from '@weir/providers';
import type { OpenAttempt } from '@weir/usage-journal';
import { closeMediaAttempt, failMediaAttempt, type PricedMedia } from '../media/close-media-attempt';
import { HEARTBEAT } from '../media/encode-priced';
import { encodeStreamError } from '../media/encode-stream-error';
import type { MediaAsk, MediaParts, OpenReply } from '../media/media-kind';
import { CLIENT_CLOSED, dropAttempt, runMediaAttempt } from '../media/run-media-attempt';
import { encodeCompleted, encodePartial } from './encode-image-events';
import { chooseImageUnit, completeUsage, expectImages } from './image-usage';
import type { ImagePlan } from './images-kind';

type StreamPlan = ImagePlan & { readonly decoder: ImageStreamDecoder };
type Ask = MediaAsk<ImageRequest>;

const MS_PER_SECOND = 1000;

/** Shows a picture in the making. Whoever leaves is charged for the whole of it: its provider makes it all the same. */
export function streamImage(ask: Ask, plan: StreamPlan, parts: MediaParts): Promise<OpenReply> {
  const { request, asked, turn } = ask;
  const sendHead = (): void => {
    writeReplyHead(request, plan, turn.number - 1);
    writeStreamHead(request.response);
  };
  const { attempt } = turn;
  const expected = { expected: expectImages(asked, attempt), imageUnit: chooseImageUnit(attempt, asked, {}) };
  return runMediaAttempt(ask, { lane: plan, ...expected, till: parts.till }, async (till) => {
    const upstream = await dispatchMediaCall(plan, plan.calls[0] as MediaCall, { ...parts, signal: request.signal });
    turn.noteFirstByte();
    const consumer = createImageConsumer(ask, { plan, till }, parts);
    const finish = await openStream(
      { consumer, heartbeat: HEARTBEAT, isUnderWay: consumer.isUnderWay, drop: (error) => dropAttempt(till, turn, error) },
      { session: request, exchange: { lane: { provider: { onCancel: 'drain' } }, upstream, till }, sendHead, isHeldBack: true },
      parts,
    );
    return { lane: plan, send: finish };
  });
}

type ImageConsumer = StreamConsumer & { isUnderWay(): boolean };

function createImageConsumer(
  ask: Ask,
  { plan, till }: { readonly plan: StreamPlan; readonly till: OpenAttempt },
  { now }: MediaParts,
): ImageConsumer {
  const { request, asked, turn } = ask;
  const { endpointId } = request.work.passport;
  const { attempt } = turn;
  let isUnderWay = false;
  let priced: PricedMedia | undefined;

  const settle = (
    told: Parameters<typeof completeUsage>[0],
    { outcome, facts }: { readonly outcome: Outcome; readonly facts: ImageEvent['facts'] },
  ): PricedMedia => {
    const usage = completeUsage(told, asked, { attempt, images: 1 });
    priced ??= closeMediaAttempt(till, ask, { usage, outcome, imageUnit: chooseImageUnit(attempt, asked, facts) });
    return priced;
  };

  const encode = (event: ImageEvent): string => {
    isUnderWay = true;
    const shown = { base64: event.base64, createdSeconds: event.created ?? Math.floor(now() / MS_PER_SECOND), facts: event.facts };
    if (event.type === 'partial') return encodePartial(endpointId, { ...shown, index: event.index });
    return encodeCompleted(endpointId, { ...shown, priced: settle(event.usage, { outcome: OK, facts: event.facts }) });
  };

  return {
    isUnderWay: () => isUnderWay,
    push: (chunk) => plan.decoder.push(chunk).map(encode).join(''),
    end: () => {
      const last = plan.decoder.end().map(encode).join('');
      if (priced === undefined) throw new GatewayError('provider_stream_cut', 'The provider ended its answer before it was complete.');
      return last;
    },
    fail: (error) => {
      // Nobody charges for a picture that was never finished.
      if (priced === undefined) priced = failMediaAttempt(till, error);
      return encodeStreamError(request, error);
    },
    abandon: () => void settle(null, { outcome: CLIENT_CLOSED, facts: {} }),
    isSettled: () => priced !== undefined,
    isComplete: () => priced !== undefined,
  };
}
