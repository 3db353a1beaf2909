import type { SpeechLane } from '../../provider/media-provider';
import { speechLane as googleLane } from '../google/speech';
import { createChirpSpeech, isChirp } from './chirp-speech';
import type { VertexPlace } from './encode-request';
import { placeMedia } from './place-media';

/** Speech by models that talk, and by the one that only speaks. */
export function createSpeechLane(place: VertexPlace): SpeechLane {
  const chirp = createChirpSpeech(place);
  return {
    formats: (target) => (isChirp(target) ? chirp : googleLane).formats(target),
    encodeRequest: (request, target, losses) =>
      isChirp(target)
        ? chirp.encodeRequest(request, target, losses)
        : placeMedia(googleLane.encodeRequest(request, target, losses), target, place),
    createDecoder: (sent, headers) => (isChirp(sent.target) ? chirp : googleLane).createDecoder(sent, headers),
  };
}
