import type { MediaUsage, SpeechDecoder, SpeechEvent, SpeechRequest } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { CLIENT_CLOSED, OK, type Outcome, describeFailure } from '@weir/exchange';
import { mediaUsageOf } from '@weir/providers';
import type { OpenAttempt } from '@weir/meter';
import { closeMediaAttempt, failMediaAttempt, type PricedMedia } from '../media/close-media-attempt';
import { encodeFrame, encodeUsage, encodeWithUsage, totalTokens } from '../media/encode-priced';
import { encodeStreamError } from '../media/encode-stream-error';
import type { MediaContext } from '../media/media-modality';
import type { MediaConsumer } from '../media/stream-media-attempt';
import { completeSpeechUsage, priceAhead } from './speech-usage';
import { encodeWavHead } from './wav-head';

type ConsumerParts = {
  readonly decoder: SpeechDecoder;
  readonly attempt: OpenAttempt;
  /** The provider sends samples, the caller wants a WAV file. */
  readonly wraps: boolean;
  /** See MostFacts. */
  readonly maxOutputTokens: number | null;
};

const NOTHING = Buffer.alloc(0);

/** Trailers of a reply whose cost was an estimate when its head was sent. */
export const COST_TRAILERS = 'x-weir-cost, x-weir-usage';

function describeCost({ costUsd, usage }: PricedMedia): Record<string, string> {
  return { 'x-weir-cost': costUsd, ...(usage.source === 'estimate' ? { 'x-weir-usage': 'estimated' } : {}) };
}

/** Passes speech on and settles it once: when it is complete, when it breaks off, or when no one listens any more. */
export function createSpeechConsumer(
  context: MediaContext<SpeechRequest>,
  { decoder, attempt, wraps, maxOutputTokens }: ConsumerParts,
): MediaConsumer {
  const { request, asked, place } = context;
  const { response } = request;
  const isEvents = asked.streamFormat === 'sse';
  let reported: MediaUsage | null = null;
  let bytes = 0;
  let priced: PricedMedia | undefined;

  const settle = (outcome: Outcome, isWhole: boolean): PricedMedia => {
    const use = completeSpeechUsage(asked, place.attempt, { reported, bytes, isWhole, maxOutputTokens });
    return (priced ??= closeMediaAttempt(attempt, context, { ...use, outcome }));
  };

  const encodeAudio = (audio: Uint8Array): Buffer => {
    const isFirst = bytes === 0;
    bytes += audio.length;
    const piece =
      wraps && isFirst ? Buffer.concat([encodeWavHead(), audio]) : Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength);
    if (!isEvents) return piece;
    const type = 'speech.audio.delta';
    return Buffer.from(encodeFrame(type, JSON.stringify({ type, audio: piece.toString('base64') })));
  };

  const encode = (event: SpeechEvent): Buffer => {
    if (event.type === 'audio') return encodeAudio(event.bytes);
    reported = event.usage;
    return NOTHING;
  };

  const encodeAll = (events: readonly SpeechEvent[]): Buffer => {
    const pieces = events.map(encode);
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  };

  const encodeDone = (): Buffer => {
    const done = settle(OK, true);
    if (!isEvents) {
      if (!priceAhead(context, decoder).isFinal && !response.destroyed) response.addTrailers(describeCost(done));
      return NOTHING;
    }
    const type = 'speech.audio.done';
    return Buffer.from(encodeFrame(type, encodeWithUsage({ type }, encodeUsage(totalTokens(done.usage), done))));
  };

  const findReported = (error: unknown) => {
    reported ??= mediaUsageOf(error);
    return reported === null ? undefined : completeSpeechUsage(asked, place.attempt, { reported, bytes, isWhole: false, maxOutputTokens });
  };

  return {
    isUnderWay: () => bytes > 0,
    reported: findReported,
    push: (chunk) => encodeAll(decoder.push(chunk)),
    end: () => {
      const last = encodeAll(decoder.end());
      if (bytes === 0)
        throw new GatewayError('provider_unreadable', 'The provider replied without any audio. Try again, or use another model.');
      return Buffer.concat([last, encodeDone()]);
    },
    fail: (error) => {
      const use = findReported(error);
      if (bytes > 0) settle(describeFailure(error), false);
      else priced ??= failMediaAttempt(attempt, error, { context, reported: use });
      if (isEvents) return encodeStreamError(request, error);
      // Audio has no form for an error: a connection that breaks off shows that something is missing.
      response.destroy();
      return '';
    },
    abandon: (isBilledWhole) => void settle(CLIENT_CLOSED, isBilledWhole),
    isSettled: () => priced !== undefined,
    isComplete: () => priced !== undefined,
  };
}
