import {
  stringifyExactJson,
  NO_MEDIA_USAGE,
  readReportedCount,
  type SpeechDecoder,
  type SpeechEvent,
  type SpeechFormat,
} from '@weir/canonical';
import { unreadableReply } from '../../failures/unsupported';
import { findVoice } from '../../media/find-voice';
import { createJsonEvents, cutStream } from '../../media/json-events';
import { limitSpeed } from '../../media/limit-speed';
import { readJsonObject } from '../../media/read-json-reply';
import { createWholeSpeech } from '../../media/whole-speech';
import type { SpeechLane } from '../../provider/media-provider';
import { asRecord, asText, withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { pickFields } from '../../wire/pick-fields';
import { findFailure } from './read-error';
import { CUSTOM_VOICE, VOICES } from './voices';

export const SPEECH_PATH = '/t2a_v2';

const FORMATS: readonly SpeechFormat[] = ['mp3', 'pcm', 'flac'];
const SPEEDS = [0.5, 2] as const;
const SAMPLES_PER_SECOND = 24_000;
const HEX = /^(?:[0-9a-f]{2})+$/i;
/** A piece that repeats the whole, or ends the stream. */
const LAST = 2;

/** Speech beside the address that chat has: the same host, without the name of the dialect. */
export function createSpeechLane(chatBaseUrl: string, secrets: readonly string[]): SpeechLane {
  return {
    formats: () => FORMATS,
    encodeRequest(request, { attempt }, losses) {
      if (request.instructions !== undefined) losses.dropped.add('instructions');
      const { language_boost, ...voiceFields } = pickFields(
        request,
        { language_boost: 'language_boost', emotion: 'emotion', pitch: 'pitch', vol: 'vol' },
        losses,
      );
      const body = withoutUndefined({
        model: attempt.upstreamModel,
        text: request.input,
        stream: true,
        stream_options: { exclude_aggregated_audio: true },
        output_format: 'hex',
        voice_setting: withoutUndefined({
          voice_id: findVoice(request.voice, { known: VOICES, raw: CUSTOM_VOICE }),
          speed: limitSpeed(request, SPEEDS, losses),
          ...voiceFields,
        }),
        audio_setting: withoutUndefined({
          format: request.format,
          channel: 1,
          sample_rate: request.format === 'pcm' ? SAMPLES_PER_SECOND : undefined,
        }),
        language_boost,
      });
      const baseUrl = chatBaseUrl.replace(/\/anthropic(?=\/|$)/, '');
      return { baseUrl, path: SPEECH_PATH, body: { kind: 'json', text: stringifyExactJson(body) } };
    },
    createDecoder: (_sent, headers) => {
      const type = headers['content-type'];
      return typeof type === 'string' && type.startsWith('application/json')
        ? createWholeSpeech((bytes) => readWhole(bytes, secrets), true)
        : createStreamDecoder(secrets);
    },
  };
}

function createStreamDecoder(secrets: readonly string[]): SpeechDecoder {
  const course: Course = { hasSound: false, hasEnded: false };
  const events = createJsonEvents<SpeechEvent>((piece) => takePiece(piece, course, secrets));
  return {
    reportsUsage: true,
    push: (bytes) => events.push(bytes),
    end() {
      const heard = events.end();
      if (!course.hasEnded) throw cutStream();
      if (!course.hasSound) throw unreadableReply();
      return heard;
    },
  };
}

/** What is no stream is a failure, or the whole sound in one object. */
function readWhole(bytes: Buffer, secrets: readonly string[]): SpeechEvent[] {
  const course: Course = { hasSound: false, hasEnded: false };
  const heard = takePiece(readJsonObject({ bytes }), course, secrets);
  if (!course.hasSound) throw unreadableReply();
  return heard;
}

type Course = { hasSound: boolean; hasEnded: boolean };

function takePiece(piece: JsonRecord, course: Course, secrets: readonly string[]): SpeechEvent[] {
  const failure = findFailure(piece, secrets);
  if (failure !== undefined) throw failure;
  const data = asRecord(piece['data']);
  const sound = asText(data?.['audio']);
  const isLast = data?.['status'] === LAST || asRecord(piece['extra_info']) !== undefined;
  const isRepeated = isLast && course.hasSound;
  course.hasEnded ||= isLast;
  const heard: SpeechEvent[] = [];
  if (sound !== undefined && !isRepeated) {
    if (!HEX.test(sound)) throw unreadableReply();
    course.hasSound = true;
    heard.push({ type: 'audio', bytes: Buffer.from(sound, 'hex') });
  }
  const characters = readReportedCount(asRecord(piece['extra_info'])?.['usage_characters']);
  if (characters !== null) heard.push({ type: 'usage', usage: { ...NO_MEDIA_USAGE, characters } });
  return heard;
}
