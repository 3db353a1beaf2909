import type { TranscriptionLane } from '../../provider/media-provider';
import { transcriptionLane as googleLane } from '../google/transcription';
import { createChirpTranscription } from './chirp-transcription';
import { isChirp } from './chirp-speech';
import type { VertexPlace } from './encode-request';
import { placeMedia } from './place-media';

/** Transcription by models that talk, and by the one that only listens. */
export function createTranscriptionLane(place: VertexPlace): TranscriptionLane {
  const chirp = createChirpTranscription(place);
  return {
    translates: (target) => !isChirp(target),
    encodeRequest: async (request, target, losses) =>
      isChirp(target)
        ? chirp.encodeRequest(request, target, losses)
        : placeMedia(await googleLane.encodeRequest(request, target, losses), target, place),
    decodeReply: (reply, sent) => (isChirp(sent.target) ? chirp : googleLane).decodeReply(reply, sent),
    createStreamDecoder: (target) => (isChirp(target) ? null : (googleLane.createStreamDecoder?.(target) ?? null)),
  };
}
