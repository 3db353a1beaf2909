import { stringifyExactJson, type SpeechDecoder, type SpeechEvent, type SpeechRequest } from '@weir/canonical';
import { readReportedMedia } from '../../failures/failed-reply';
import { unreadableReply } from '../../failures/unsupported';
import { decodeBase64 } from '../../media/base64';
import { findVoice } from '../../media/find-voice';
import { createJsonEvents, cutStream } from '../../media/json-events';
import type { SpeechLane } from '../../provider/media-provider';
import { asRecord, asText, withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { pickFields } from '../../wire/pick-fields';
import { readMediaUsage } from './read-media-usage';
import { listParts, readEnd, refusedBy } from './read-parts';
import { VOICES } from './voices';

/** What the models speak in, as `pcm` is defined; said in the type of every piece. */
const RATE = /rate=(\d+)/;
const SAMPLES_PER_SECOND = 24_000;

/** Speech by a model that talks: it replies with sound in place of text. */
export const speechLane: SpeechLane = {
  formats: () => ['pcm'],
  encodeRequest(request, { attempt }, losses) {
    if (request.speed !== 1) losses.dropped.add('speed');
    const { languageCode, ...fields } = pickFields(
      request,
      { language_code: 'languageCode', temperature: 'temperature', seed: 'seed' },
      losses,
    );
    if (request.instructions !== undefined) losses.approximated.add('instructions');
    const voiceConfig = { prebuiltVoiceConfig: { voiceName: findVoice(request.voice, { known: VOICES }) } };
    const body = {
      contents: [{ role: 'user', parts: [{ text: encodeText(request) }] }],
      generationConfig: { responseModalities: ['AUDIO'], speechConfig: withoutUndefined({ voiceConfig, languageCode }), ...fields },
    };
    const path = `/models/${encodeURIComponent(attempt.upstreamModel)}:streamGenerateContent?alt=sse`;
    return { path, body: { kind: 'json', text: stringifyExactJson(body) } };
  },
  createDecoder: createSpeechDecoder,
};

/** How to speak has no field of its own: it is said before what is to be spoken. */
function encodeText({ input, instructions }: SpeechRequest): string {
  return instructions === undefined ? input : `${instructions.trim().replace(/(?<![.:])[.:]+$/, '')}:\n${input}`;
}

function createSpeechDecoder(): SpeechDecoder {
  let usage: unknown;
  let last: JsonRecord | undefined;
  let hasSound = false;
  const events = createJsonEvents<SpeechEvent>((reply) => {
    if (readMediaUsage(reply['usageMetadata'], 'audio') !== null) usage = reply['usageMetadata'];
    if (last === undefined || readEnd(last) === undefined) last = reply;
    const heard = listParts(reply).flatMap(readSound);
    hasSound ||= heard.length > 0;
    return heard;
  });
  const readUsage = () => readMediaUsage(usage, 'audio');
  const finish = (): SpeechEvent[] => {
    const heard = events.end();
    if (last === undefined) throw unreadableReply();
    if (readEnd(last) === undefined) throw cutStream();
    if (!hasSound) throw refusedBy(last);
    const read = readUsage();
    return read === null ? heard : [...heard, { type: 'usage', usage: read }];
  };
  return {
    reportsUsage: true,
    push: (bytes) => readReportedMedia(() => events.push(bytes), readUsage),
    end: () => readReportedMedia(finish, readUsage),
  };
}

function readSound(part: JsonRecord): SpeechEvent[] {
  const inline = asRecord(part['inlineData']);
  if (inline === undefined) return [];
  const rate = RATE.exec(asText(inline['mimeType']) ?? '')?.[1];
  if (rate !== undefined && Number(rate) !== SAMPLES_PER_SECOND) throw unreadableReply();
  return [{ type: 'audio', bytes: decodeBase64(inline['data']) }];
}
