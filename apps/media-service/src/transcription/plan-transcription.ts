import { createLossReport, type TranscriptionRequest, type TranscriptionStreamDecoder } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { findTarget, refuseUnreached, type MediaCall, type TranscriptionLane } from '@weir/providers';
import type { MediaContext, MediaLane, MediaParts } from '../media/media-modality';

/** How a recording is written down at one provider. */
export type TranscriptionPlan = MediaLane & {
  readonly transcription: TranscriptionLane;
  readonly call: MediaCall;
  /** For a provider that streams what it hears. */
  readonly decoder: TranscriptionStreamDecoder | null;
};

/** Chooses whole or streamed, and writes the call. */
export async function planTranscription(
  { request, asked, place, guard }: MediaContext<TranscriptionRequest>,
  parts: MediaParts,
): Promise<TranscriptionPlan> {
  const found = findTarget(place.attempt, parts, request.forwarded.headers);
  const { transcription } = found.provider;
  if (transcription === undefined) throw refuseUnreached(place.attempt);
  if (asked.task === 'translate' && transcription.translates?.(found.target) !== true) {
    throw new GatewayError('unsupported_field', 'model: translation is not supported by the chosen model.', { field: 'model' });
  }
  const losses = createLossReport();
  // What guardrails have to see is known as a whole before any of it passes.
  const isStreamed = asked.stream && guard?.concernsReplies() !== true;
  const decoder = isStreamed ? (transcription.createStreamDecoder?.(found.target) ?? null) : null;
  const call = await transcription.encodeRequest({ ...asked, stream: decoder !== null }, found.target, losses);
  losses.dropped.delete('stream');
  return { ...found, transcription, call, decoder, losses };
}
