import { createLossReport, type TranscriptionRequest, type TranscriptionStreamDecoder } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { findTarget, refuseUnreached, type MediaCall, type TranscriptionLane } from '@weir/providers';
import { mapFileName } from '../media/map-texts';
import type { MediaAsk, MediaKind, MediaLane, MediaParts, OpenReply } from '../media/media-kind';
import { decodeTranscriptionRequest } from './decode-transcription-request';
import { streamTranscript } from './stream-transcript';
import { transcribeWhole } from './transcribe-whole';

/** How a recording is written down at one provider. */
export type TranscriptionPlan = MediaLane & {
  readonly transcription: TranscriptionLane;
  readonly call: MediaCall;
  /** For a provider that tells what it hears while it listens. */
  readonly decoder: TranscriptionStreamDecoder | null;
};

/** Formats that can come bit by bit; elsewhere `stream` means nothing, as at its vendor. */
const STREAMED: ReadonlySet<string> = new Set(['json', 'text', 'diarized_json']);

export const TRANSCRIPTION: MediaKind<TranscriptionRequest> = {
  decode: (request) => {
    const asked = decodeTranscriptionRequest(request);
    return { ...asked, stream: asked.stream && asked.task === 'transcribe' && STREAMED.has(asked.format) };
  },
  mapTexts: (asked, write) => ({
    ...asked,
    file: mapFileName(asked.file, write),
    ...(asked.prompt === undefined ? {} : { prompt: write(asked.prompt) }),
    ...(asked.unmapped === undefined ? {} : { unmapped: asked.unmapped.map(({ name, value }) => ({ name, value: write(value) })) }),
  }),
  open: async (ask, parts): Promise<OpenReply> => {
    const plan = await planTranscription(ask, parts);
    return plan.decoder === null ? transcribeWhole(ask, plan, parts) : streamTranscript(ask, { ...plan, decoder: plan.decoder }, parts);
  },
};

async function planTranscription(
  { request, asked, turn, guard }: MediaAsk<TranscriptionRequest>,
  parts: MediaParts,
): Promise<TranscriptionPlan> {
  const found = findTarget(turn.attempt, parts, request.forwarded.headers);
  const { transcription } = found.provider;
  if (transcription === undefined) throw refuseUnreached(turn.attempt);
  if (asked.task === 'translate' && transcription.translates?.(found.target) !== true) {
    throw new GatewayError('unsupported_field', 'model: translation is not supported by the chosen model.', { field: 'model' });
  }
  const losses = createLossReport();
  // What guardrails have to see is known as a whole before any of it passes.
  const isStreamed = asked.stream && guard?.concernsReplies !== true;
  const decoder = isStreamed ? (transcription.createStreamDecoder?.(found.target) ?? null) : null;
  const call = await transcription.encodeRequest({ ...asked, stream: decoder !== null }, found.target, losses);
  losses.dropped.delete('stream');
  return { ...found, transcription, call, decoder, losses };
}
