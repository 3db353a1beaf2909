import { stringifyExactJson, type SpeechFormat } from '@weir/canonical';
import { findVoice } from '../../media/find-voice';
import { limitSpeed } from '../../media/limit-speed';
import { createAudioPass } from '../../media/pass-audio';
import type { SpeechLane } from '../../provider/media-provider';
import { asRecord, withoutUndefined } from '../../wire/json-value';
import { pickFields } from '../../wire/pick-fields';
import { VOICE_ID, VOICES } from './voices';

const FORMATS: Readonly<Partial<Record<SpeechFormat, string>>> = { mp3: 'mp3_44100_128', opus: 'opus_48000_128', pcm: 'pcm_24000' };
const SPEEDS = [0.7, 1.2] as const;
const FIELDS = [
  'language_code',
  'voice_settings',
  'seed',
  'previous_text',
  'next_text',
  'pronunciation_dictionary_locators',
  'apply_text_normalization',
  'apply_language_text_normalization',
];
const KNOWN = Object.fromEntries(FIELDS.map((name) => [name, name]));

/** Speech as a stream of the bytes of a file. The service counts in credits, so characters are left to be counted here. */
export const speechLane: SpeechLane = {
  formats: () => Object.keys(FORMATS) as SpeechFormat[],
  encodeRequest(request, { attempt }, losses) {
    if (request.instructions !== undefined) losses.dropped.add('instructions');
    const { voice_settings, ...fields } = pickFields(request, KNOWN, losses);
    if (voice_settings !== undefined && asRecord(voice_settings) === undefined) losses.dropped.add('voice_settings');
    const settings = withoutUndefined({ ...asRecord(voice_settings), speed: limitSpeed(request, SPEEDS, losses) });
    const body = withoutUndefined({
      text: request.input,
      model_id: attempt.upstreamModel,
      voice_settings: Object.keys(settings).length === 0 ? undefined : settings,
      ...fields,
    });
    const voice = findVoice(request.voice, { known: VOICES, raw: VOICE_ID });
    const path = `/text-to-speech/${voice}/stream?output_format=${FORMATS[request.format] ?? ''}`;
    return { path, body: { kind: 'json', text: stringifyExactJson(body) } };
  },
  createDecoder: (_sent, headers) => createAudioPass(headers),
};
