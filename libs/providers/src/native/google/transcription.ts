import type { TranscriptionEvent, TranscriptionReply, TranscriptionRequest, TranscriptionStreamDecoder } from '@weir/canonical';
import { readReportedMedia } from '../../failures/failed-reply';
import { unreadableReply, unsupported } from '../../failures/unsupported';
import { encodeFile } from '../../media/base64';
import { createJsonEvents, cutStream } from '../../media/json-events';
import { readJsonObject, refuseFailure } from '../../media/read-json-reply';
import { pickFormFields, reportTranscriptionLosses } from '../../media/report-transcription-losses';
import type { MediaReply, TranscriptionLane } from '../../provider/media-provider';
import { asRecord, withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { readMediaUsage } from './read-media-usage';
import { joinText, listParts, readEnd, refusedBy } from './read-parts';

const NO_FIELDS: ReadonlySet<string> = new Set();
/** Types as the service names them. */
const TYPES: Readonly<Record<string, string>> = { 'audio/mpeg': 'audio/mp3', 'audio/x-wav': 'audio/wav', 'audio/x-m4a': 'audio/mp4' };

/** Transcription by a model that talks: a prompt asks it to write down what it hears; it knows no times and no speakers. */
export const transcriptionLane: TranscriptionLane = {
  translates: () => true,
  async encodeRequest(request, { attempt }, losses) {
    if (request.format !== 'json' && request.format !== 'text') throw unsupported('response_format', `The format ${request.format}`);
    if (request.timestampGranularities.length > 0) throw unsupported('timestamp_granularities', 'Timestamps');
    reportTranscriptionLosses(request, ['language', 'prompt', 'temperature'], losses);
    pickFormFields(request, NO_FIELDS, losses);
    // Hints that the prompt has no place for.
    if (request.prompt !== undefined) losses.approximated.add('prompt');
    if (request.language !== undefined) losses.approximated.add('language');
    const { file, temperature } = request;
    const sound = { inlineData: { mimeType: TYPES[file.type] ?? file.type, data: await encodeFile(file) } };
    const body = withoutUndefined({
      contents: [{ role: 'user', parts: [{ text: instruct(request) }, sound] }],
      generationConfig: temperature === undefined ? undefined : { temperature },
    });
    const verb = request.stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    return {
      path: `/models/${encodeURIComponent(attempt.upstreamModel)}:${verb}`,
      body: { kind: 'json', text: JSON.stringify(body) },
    };
  },
  decodeReply,
  createStreamDecoder,
};

function instruct({ task, language, prompt }: TranscriptionRequest): string {
  const lines = [
    task === 'translate'
      ? 'Translate everything that is said in this recording into English.'
      : 'Write down everything that is said in this recording, in the language it is said in.',
    language === undefined ? undefined : `The language spoken is ${language}.`,
    prompt === undefined ? undefined : `For spelling and context: ${prompt}`,
    'Answer with the text alone, without times, names of speakers or remarks of your own. If nothing is said, answer with nothing.',
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}

function decodeReply(reply: MediaReply): TranscriptionReply {
  const reported = readJsonObject(reply);
  return readReportedMedia(
    () => readTranscript(reported),
    () => readMediaUsage(reported['usageMetadata'], 'text'),
  );
}

function readTranscript(reported: JsonRecord): TranscriptionReply {
  refuseFailure(reported);
  if (!Array.isArray(reported['candidates']) && asRecord(reported['promptFeedback']) === undefined) throw unreadableReply();
  const text = joinText(listParts(reported)).trim();
  if (text === '' && readEnd(reported) !== 'STOP') throw refusedBy(reported);
  return { text, usage: readMediaUsage(reported['usageMetadata'], 'text') };
}

function createStreamDecoder(): TranscriptionStreamDecoder {
  let text = '';
  let usage: unknown;
  let last: JsonRecord | undefined;
  const events = createJsonEvents<TranscriptionEvent>((reply) => {
    if (readMediaUsage(reply['usageMetadata'], 'text') !== null) usage = reply['usageMetadata'];
    if (last === undefined || readEnd(last) === undefined) last = reply;
    const delta = joinText(listParts(reply));
    text += delta;
    return delta === '' ? [] : [{ type: 'delta', text: delta }];
  });
  const readUsage = () => readMediaUsage(usage, 'text');
  const finish = (): TranscriptionEvent[] => {
    const heard = events.end();
    if (last === undefined) throw unreadableReply();
    const end = readEnd(last);
    if (end === undefined) throw cutStream();
    if (text === '' && end !== 'STOP') throw refusedBy(last);
    return [...heard, { type: 'done', text, usage: readUsage() }];
  };
  return {
    push: (bytes) => readReportedMedia(() => events.push(bytes), readUsage),
    end: () => readReportedMedia(finish, readUsage),
  };
}
