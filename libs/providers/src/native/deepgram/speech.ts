import type { LossReport, SpeechFormat, SpeechRequest } from '@weir/canonical';
import { unsupported } from '../../failures/unsupported';
import { findVoice } from '../../media/find-voice';
import { limitSpeed } from '../../media/limit-speed';
import { createAudioPass } from '../../media/pass-audio';
import type { SpeechLane } from '../../provider/media-provider';
import { withoutUndefined } from '../../wire/json-value';
import { FAMILY, listVoices } from './voices';

const FORMATS: Readonly<Record<SpeechFormat, Readonly<Record<string, string>>>> = {
  mp3: { encoding: 'mp3' },
  opus: { encoding: 'opus', container: 'ogg' },
  aac: { encoding: 'aac' },
  flac: { encoding: 'flac' },
  wav: { encoding: 'linear16', container: 'wav', sample_rate: '24000' },
  pcm: { encoding: 'linear16', container: 'none', sample_rate: '24000' },
};
const FIRST_FAMILY = 'aura';
const SPEEDS = [0.7, 1.5] as const;
const KNOWN: ReadonlySet<string> = new Set(['bit_rate', 'mip_opt_out', 'tag']);

/** Speech as the bytes of a file; a header reports how many characters are charged. */
export const speechLane: SpeechLane = {
  formats: () => Object.keys(FORMATS) as SpeechFormat[],
  encodeRequest(request, { attempt }, losses) {
    if (request.instructions !== undefined) losses.dropped.add('instructions');
    const model = findModel(attempt.upstreamModel, request.voice);
    const query = new URLSearchParams({
      model,
      ...FORMATS[request.format],
      ...withoutUndefined({ speed: findSpeed(request, model, losses)?.toString() }),
      ...pickTexts(request, losses),
    });
    return { path: `/speak?${query}`, body: { kind: 'json', text: JSON.stringify({ text: request.input }) } };
  },
  createDecoder: (_sent, headers) => createAudioPass(headers, 'dg-char-count'),
};

/** A model that is bound to one voice takes that voice only; a family takes any of its own, by name or as a whole. */
function findModel(upstreamModel: string, voice: string): string {
  const [, family, bound, language] = FAMILY.exec(upstreamModel) ?? [];
  if (family === undefined) throw unsupported('model', 'Speech with this model');
  if (bound === undefined) return findVoice(voice, { known: listVoices(family), raw: new RegExp(`^${family}-[a-z]+-[a-z]{2}$`) });
  const names = [bound, `${bound}-${language ?? ''}`, upstreamModel];
  return findVoice(voice, { known: Object.fromEntries(names.map((name) => [name, upstreamModel])) });
}

/** The first generation takes no speed. */
function findSpeed(request: SpeechRequest, model: string, losses: LossReport): number | undefined {
  if (FAMILY.exec(model)?.[1] !== FIRST_FAMILY) return limitSpeed(request, SPEEDS, losses);
  if (request.speed !== 1) losses.dropped.add('speed');
  return undefined;
}

/** Further fields become parameters of the address, where only plain values can stand. */
function pickTexts({ unmapped }: SpeechRequest, losses: LossReport): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(unmapped ?? {})) {
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (KNOWN.has(name) && isPlain) texts[name] = String(value);
    else losses.dropped.add(name);
  }
  return texts;
}
