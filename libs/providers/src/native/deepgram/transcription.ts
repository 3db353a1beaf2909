import type { TranscriptionReply, TranscriptionRequest, TranscriptSegment } from '@weir/canonical';
import { unreadableReply, unsupported } from '../../failures/unsupported';
import type { HeardWord } from '../../media/join-words';
import { readJsonReply } from '../../media/read-json-reply';
import { pickFormFields, reportTranscriptionLosses } from '../../media/report-transcription-losses';
import { toTranscriptionReply } from '../../media/to-transcription-reply';
import type { MediaReply, SentMedia, TranscriptionLane } from '../../provider/media-provider';
import { asRecord, asRecords, asText, type JsonRecord } from '../../wire/json-value';

/** Further fields that change how is heard, not what the reply looks like. */
const KNOWN: ReadonlySet<string> = new Set([
  'dictation',
  'filler_words',
  'keyterm',
  'keywords',
  'measurements',
  'mip_opt_out',
  'numerals',
  'profanity_filter',
  'punctuate',
  'redact',
  'replace',
  'smart_format',
  'tag',
  'utt_split',
  'version',
]);

/** Transcription of a file that is the whole body; everything else stands in the address. */
export const transcriptionLane: TranscriptionLane = {
  encodeRequest(request, { attempt }, losses) {
    if (request.task === 'translate') throw unsupported('model', 'Translating with this model');
    reportTranscriptionLosses(request, ['language'], losses);
    return {
      path: `/listen?${encodeQuery(request, attempt.upstreamModel, pickFormFields(request, KNOWN, losses))}`,
      body: { kind: 'file', file: request.file },
    };
  },
  decodeReply,
};

function encodeQuery(
  { format, language }: TranscriptionRequest,
  model: string,
  further: readonly { readonly name: string; readonly value: string }[],
): URLSearchParams {
  const query = new URLSearchParams({ model });
  if (!further.some(({ name }) => name === 'smart_format')) query.set('smart_format', 'true');
  if (language === undefined) query.set('detect_language', 'true');
  else query.set('language', language);
  if (format !== 'json' && format !== 'text') query.set('utterances', 'true');
  if (format === 'diarized_json') query.set('diarize', 'true');
  for (const { name, value } of further) query.append(name, value);
  return query;
}

function decodeReply(reply: MediaReply, { request }: SentMedia<TranscriptionRequest>): TranscriptionReply {
  const reported = readJsonReply(reply);
  const results = asRecord(reported['results']);
  const channel = asRecords(results?.['channels'])[0];
  const best = asRecords(channel?.['alternatives'])[0];
  const text = best?.['transcript'];
  if (typeof text !== 'string') throw unreadableReply();
  return toTranscriptionReply({
    text,
    language: asText(channel?.['detected_language']) ?? request.language,
    seconds: asRecord(reported['metadata'])?.['duration'],
    words: asRecords(best?.['words']).flatMap(readWord),
    segments: asRecords(results?.['utterances']).flatMap(readUtterance),
  });
}

function readWord(reported: JsonRecord): HeardWord[] {
  const word = asText(reported['punctuated_word']) ?? asText(reported['word']);
  const { start, end } = reported;
  if (word === undefined || typeof start !== 'number' || typeof end !== 'number') return [];
  return [{ word, text: `${word} `, start, end, ...readSpeaker(reported) }];
}

function readUtterance(reported: JsonRecord, id: number): TranscriptSegment[] {
  const { start, end, transcript } = reported;
  if (typeof transcript !== 'string' || typeof start !== 'number' || typeof end !== 'number') return [];
  return [{ id, start, end, text: transcript, ...readSpeaker(reported) }];
}

function readSpeaker({ speaker }: JsonRecord): { readonly speaker?: string } {
  return typeof speaker === 'number' ? { speaker: `speaker_${speaker}` } : {};
}
