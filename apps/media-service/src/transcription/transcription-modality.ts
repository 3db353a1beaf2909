import type { TranscriptionRequest } from '@weir/canonical';
import type { MediaModality, OpenReply } from '../media/media-modality';
import { decodeTranscriptionRequest } from './decode-transcription-request';
import { planTranscription } from './plan-transcription';
import { streamTranscript } from './stream-transcript';
import { transcribeWhole } from './transcribe-whole';

/** Formats that can come bit by bit; elsewhere `stream` means nothing, as at its vendor. */
const STREAMED: ReadonlySet<string> = new Set(['json', 'text', 'diarized_json']);

export const TRANSCRIPTION: MediaModality<TranscriptionRequest> = {
  decode: (request) => {
    const asked = decodeTranscriptionRequest(request);
    return { ...asked, stream: asked.stream && asked.task === 'transcribe' && STREAMED.has(asked.format) };
  },
  open: async (context, parts): Promise<OpenReply> => {
    const plan = await planTranscription(context, parts);
    return plan.decoder === null
      ? transcribeWhole(context, plan, parts)
      : streamTranscript(context, { ...plan, decoder: plan.decoder }, parts);
  },
};
