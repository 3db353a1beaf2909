import type { MediaUsage, TranscriptionEvent, TranscriptionRequest, TranscriptionStreamDecoder } from '@weir/canonical';
import { CLIENT_CLOSED, describeFailure, OK, type Outcome } from '@weir/exchange';
import { mediaUsageOf } from '@weir/providers';
import type { OpenAttempt } from '@weir/meter';
import { closeMediaAttempt, failMediaAttempt, type PricedMedia } from '../media/close-media-attempt';
import { encodeStreamError } from '../media/encode-stream-error';
import type { MediaContext, MediaParts, OpenReply } from '../media/media-modality';
import { passEvents } from '../media/pass-events';
import { streamMediaAttempt, type MediaConsumer } from '../media/stream-media-attempt';
import { encodeDelta, encodeDone, encodeSegment } from './encode-transcript-events';
import type { TranscriptionPlan } from './plan-transcription';
import { completeTranscriptionUsage, estimateTranscription, measureLength, type RecordingLength } from './transcription-usage';

type StreamPlan = TranscriptionPlan & { readonly decoder: TranscriptionStreamDecoder };
type Context = MediaContext<TranscriptionRequest>;

/** Streams what is heard while the provider listens. */
export async function streamTranscript(context: Context, plan: StreamPlan, parts: MediaParts): Promise<OpenReply> {
  const { asked, place } = context;
  // Measured before there is a stream: one that breaks off has to be charged at once.
  const length = await measureLength(asked.file, parts.measureSeconds);
  const expected = estimateTranscription(length, place.attempt, { asked, text: '' });
  const createConsumer = (attempt: OpenAttempt) => createTranscriptConsumer(context, { plan, attempt, length });
  return streamMediaAttempt(context, { lane: plan, expected, call: plan.call, createConsumer }, parts);
}

type ConsumerParts = { readonly plan: StreamPlan; readonly attempt: OpenAttempt; readonly length: RecordingLength };

function createTranscriptConsumer(context: Context, { plan, attempt, length }: ConsumerParts): MediaConsumer {
  const { request, asked } = context;
  let heard = '';
  let priced: PricedMedia | undefined;

  const complete = (reported: MediaUsage | null) =>
    completeTranscriptionUsage(reported, { asked, target: plan.target, length, text: heard });
  const settle = (reported: MediaUsage | null, outcome: Outcome): PricedMedia =>
    (priced ??= closeMediaAttempt(attempt, context, { ...complete(reported), outcome }));

  const encode = (event: TranscriptionEvent): string => {
    if (event.type === 'delta') {
      heard += event.text;
      return encodeDelta(event);
    }
    if (event.type === 'segment') {
      heard += event.segment.text;
      return encodeSegment(event.segment);
    }
    heard = event.text;
    return encodeDone(event, settle(event.usage, OK));
  };

  const passed = passEvents(plan.decoder, encode, () => priced !== undefined);
  const findReported = (error: unknown) => {
    const reported = mediaUsageOf(error);
    return reported === null ? undefined : complete(reported);
  };
  return {
    ...passed,
    reported: findReported,
    fail: (error) => {
      if (passed.isUnderWay()) settle(mediaUsageOf(error), describeFailure(error));
      else priced ??= failMediaAttempt(attempt, error, { context, reported: findReported(error) });
      return encodeStreamError(request, error);
    },
    abandon: () => void settle(null, CLIENT_CLOSED),
  };
}
