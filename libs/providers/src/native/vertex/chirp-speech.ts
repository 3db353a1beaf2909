import { stringifyExactJson, type SpeechFormat } from '@weir/canonical';
import type { ProviderTarget } from '../../provider/target';
import { decodeBase64 } from '../../media/base64';
import { findVoice } from '../../media/find-voice';
import { limitSpeed } from '../../media/limit-speed';
import { readJsonReply } from '../../media/read-json-reply';
import { createWholeSpeech } from '../../media/whole-speech';
import type { SpeechLane } from '../../provider/media-provider';
import { asText, withoutUndefined } from '../../wire/json-value';
import { pickFields } from '../../wire/pick-fields';
import { VOICES } from '../google/voices';
import type { VertexPlace } from './encode-request';
import { locationOf, speechAreaOf } from './place-media';

const SPEEDS = [0.25, 2] as const;
const LANGUAGE = 'en-US';
/** `de-DE-Chirp3-HD-Kore`: a voice with its language. */
const WHOLE_NAME = /^([a-z]{2,3}-[A-Z]{2})-Chirp3-HD-[A-Za-z]+$/;
const SAMPLES_PER_SECOND = 24_000;
const ENCODINGS: Readonly<Partial<Record<SpeechFormat, string>>> = { mp3: 'MP3', opus: 'OGG_OPUS', wav: 'LINEAR16', pcm: 'PCM' };

export function isChirp({ attempt }: ProviderTarget): boolean {
  return attempt.upstreamModel.startsWith('chirp');
}

/** Speech by the service that has nothing but speech: one JSON reply with the whole sound in it. */
export function createChirpSpeech(place: VertexPlace): SpeechLane {
  return {
    formats: () => Object.keys(ENCODINGS) as SpeechFormat[],
    encodeRequest(request, target, losses) {
      if (request.instructions !== undefined) losses.dropped.add('instructions');
      const asked = pickFields(request, { language_code: 'language' }, losses)['language'];
      const voice = findVoice(request.voice, { known: VOICES, raw: WHOLE_NAME });
      const language = WHOLE_NAME.exec(voice)?.[1] ?? asText(asked) ?? LANGUAGE;
      if (asked !== undefined && asked !== language) losses.dropped.add('language_code');
      const body = {
        input: { text: request.input },
        voice: { languageCode: language, name: WHOLE_NAME.test(voice) ? voice : `${language}-Chirp3-HD-${voice}` },
        audioConfig: withoutUndefined({
          audioEncoding: ENCODINGS[request.format],
          sampleRateHertz: SAMPLES_PER_SECOND,
          speakingRate: limitSpeed(request, SPEEDS, losses),
        }),
      };
      return {
        baseUrl: place.baseUrl ?? addressOf(speechAreaOf(locationOf(target, place))),
        path: '/text:synthesize',
        body: { kind: 'json', text: stringifyExactJson(body) },
      };
    },
    createDecoder: () =>
      createWholeSpeech((bytes) => [{ type: 'audio', bytes: decodeBase64(readJsonReply({ bytes })['audioContent']) }], false),
  };
}

function addressOf(area: string): string {
  return `https://${area === 'global' ? '' : `${area}-`}texttospeech.googleapis.com/v1`;
}
