import { SPEECH_FORMATS, type SpeechRequest } from '@weir/canonical';
import type { WatchedRequest } from '@weir/exchange';
import { parseJsonBody } from '@weir/http-server';
import {
  invalid,
  isAbsent,
  pickUnmapped,
  readChoice,
  readJsonFields,
  readNumber,
  readText,
  requireText,
  type Fields,
} from '../media/read-fields';

/** No provider takes more at a time. */
const INPUT_MAX = 100_000;
const VOICE_MAX = 200;
const KNOWN: ReadonlySet<string> = new Set([
  ...['model', 'input', 'voice', 'instructions', 'response_format', 'speed', 'stream_format', 'weir', 'requesty'],
]);

/** Reads a request for speech. Throws a 400 that names the field at fault. */
export function decodeSpeechRequest({ forwarded }: Pick<WatchedRequest, 'forwarded'>): SpeechRequest {
  const json = readJsonFields(forwarded.parsed ?? parseJsonBody(forwarded.body));
  const instructions = readText(json, 'instructions');
  const unmapped = pickUnmapped(json, KNOWN);
  const format = readChoice(json, 'response_format', SPEECH_FORMATS);
  return {
    model: requireText(json, 'model'),
    input: requireText(json, 'input', INPUT_MAX),
    ...readVoice(json),
    ...(instructions === undefined ? {} : { instructions }),
    format: format ?? 'mp3',
    ...(format === undefined ? { isFormatOpen: true } : {}),
    speed: readNumber(json, 'speed', [0.25, 4]) ?? 1,
    streamFormat: readChoice(json, 'stream_format', ['audio', 'sse']) ?? 'audio',
    ...(unmapped === undefined ? {} : { unmapped }),
  };
}

/** A name, or the id of a voice of the account. */
function readVoice(json: Fields): Pick<SpeechRequest, 'voice' | 'isVoiceId'> {
  const { voice } = json;
  if (isAbsent(voice)) throw invalid('voice', 'is required');
  if (typeof voice !== 'object') return { voice: requireText(json, 'voice', VOICE_MAX) };
  const { id } = voice as Record<string, unknown>;
  if (typeof id !== 'string' || id === '' || id.length > VOICE_MAX) throw invalid('voice.id', 'must be the id of a voice');
  return { voice: id, isVoiceId: true };
}
