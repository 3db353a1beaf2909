import type { TranscriptionEvent, TranscriptionRequest, TranscriptionStreamDecoder } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { describeFailure, OK, openStream, writeReplyHead, writeStreamHead, type Outcome, type StreamConsumer } from '@weir/exchange';
import { dispatchMediaCall } from '@weir/providers';
import type { OpenAttempt } from '@weir/usage-journal';
import { closeMediaAttempt, type PricedMedia } from '../media/close-media-attempt';
import { HEARTBEAT } from '../media/encode-priced';
import { encodeStreamError } from '../media/encode-stream-error';
import type { MediaAsk, MediaParts, OpenReply } from '../media/media-kind';
import { CLIENT_CLOSED, dropAttempt, runMediaAttempt } from '../media/run-media-attempt';
import { encodeDelta, encodeDone, encodeSegment } from './encode-transcript-events';
import type { TranscriptionPlan } from './transcription-kind';
import { estimateTranscription, measureLength, needsLength, type RecordingLength } from './transcription-usage';

type StreamPlan = TranscriptionPlan & { readonly decoder: TranscriptionStreamDecoder };
type Ask = MediaAsk<TranscriptionRequest>;

/** Tells what is heard while the provider listens. */
export async function streamTranscript(ask: Ask, plan: StreamPlan, parts: MediaParts): Promise<OpenReply> {
  const { request, asked, turn } = ask;
  const sendHead = (): void => {
    writeReplyHead(request, plan, turn.number - 1);
    writeStreamHead(request.response);
  };
  // Measured before there is a stream: one that breaks off has to be charged at once.
  const length = await measureLength(asked.file);
  const expected = estimateTranscription(length, turn.attempt, { asked, text: '' });
  return runMediaAttempt(ask, { lane: plan, expected, till: parts.till }, async (till) => {
    const upstream = await dispatchMediaCall(plan, plan.call, { ...parts, signal: request.signal });
    turn.noteFirstByte();
    const consumer = createTranscriptConsumer(ask, { plan, till, length });
    const finish = await openStream(
      { consumer, heartbeat: HEARTBEAT, isUnderWay: consumer.isUnderWay, drop: (error) => dropAttempt(till, turn, error) },
      { session: request, exchange: { lane: plan, upstream, till }, sendHead, isHeldBack: true },
      parts,
    );
    return { lane: plan, send: finish };
  });
}

type ConsumerParts = { readonly plan: StreamPlan; readonly till: OpenAttempt; readonly length: RecordingLength };

function createTranscriptConsumer(ask: Ask, { plan, till, length }: ConsumerParts): StreamConsumer & { isUnderWay(): boolean } {
  const { request, asked, turn } = ask;
  const { attempt } = turn;
  let isUnderWay = false;
  let heard = '';
  let priced: PricedMedia | undefined;

  const settle = (told: Parameters<typeof needsLength>[0], outcome: Outcome): PricedMedia => {
    const usage = told === null || needsLength(told, attempt) ? estimateTranscription(length, attempt, { asked, text: heard }) : told;
    return (priced ??= closeMediaAttempt(till, ask, { usage, outcome }));
  };

  const encode = (event: TranscriptionEvent): string => {
    isUnderWay = true;
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

  return {
    isUnderWay: () => isUnderWay,
    push: (chunk) => plan.decoder.push(chunk).map(encode).join(''),
    end: () => {
      const last = plan.decoder.end().map(encode).join('');
      if (priced === undefined) throw new GatewayError('provider_stream_cut', 'The provider ended its answer before it was complete.');
      return last;
    },
    fail: (error) => {
      settle(null, describeFailure(error));
      return encodeStreamError(request, error);
    },
    abandon: () => void settle(null, CLIENT_CLOSED),
    isSettled: () => priced !== undefined,
    isComplete: () => priced !== undefined,
  };
}
