import type { TranscriptionReply } from '@weir/canonical';
import { unreadableReply, unsupported } from '../../failures/unsupported';
import { encodeFile } from '../../media/base64';
import type { HeardWord } from '../../media/join-words';
import { readJsonReply } from '../../media/read-json-reply';
import { pickFormFields, reportTranscriptionLosses } from '../../media/report-transcription-losses';
import { toTranscriptionReply } from '../../media/to-transcription-reply';
import type { MediaReply, TranscriptionLane } from '../../provider/media-provider';
import { asRecord, asRecords, asText, withoutUndefined, type JsonRecord } from '../../wire/json-value';
import type { VertexPlace } from './encode-request';
import { locationOf, speechAreaOf } from './place-media';

/** Serves projects without a place. */
const AREA = 'us';
const NO_FIELDS: ReadonlySet<string> = new Set();
const DURATION = /^(\d{1,9}(?:\.\d{1,9})?)s$/;

/** Transcription by the service that has nothing but speech: a recording of up to a minute, inside the request. */
export function createChirpTranscription(place: VertexPlace): TranscriptionLane {
  return {
    async encodeRequest(request, target, losses) {
      if (request.task === 'translate') throw unsupported('model', 'Translating with this model');
      reportTranscriptionLosses(request, ['language'], losses);
      pickFormFields(request, NO_FIELDS, losses);
      const isDiarized = request.format === 'diarized_json';
      const config = {
        autoDecodingConfig: {},
        languageCodes: [request.language ?? 'auto'],
        model: target.attempt.upstreamModel,
        features: withoutUndefined({
          enableAutomaticPunctuation: true,
          enableWordTimeOffsets: true,
          diarizationConfig: isDiarized ? {} : undefined,
        }),
      };
      const area = speechAreaOf(locationOf(target, place));
      const location = area === 'global' ? AREA : area;
      return {
        baseUrl: place.baseUrl?.replace(/\/v1$/, '/v2') ?? `https://${location}-speech.googleapis.com/v2`,
        path: `/projects/${place.project}/locations/${location}/recognizers/_:recognize`,
        body: { kind: 'json', text: JSON.stringify({ config, content: await encodeFile(request.file) }) },
      };
    },
    decodeReply,
  };
}

function decodeReply(reply: MediaReply): TranscriptionReply {
  const reported = readJsonReply(reply);
  const metadata = asRecord(reported['metadata']);
  if (!Array.isArray(reported['results']) && metadata === undefined) throw unreadableReply();
  const results = asRecords(reported['results']);
  const best = results.flatMap((result) => asRecords(result['alternatives']).slice(0, 1));
  const [language] = results.flatMap((result) => asText(result['languageCode']) ?? []);
  const texts = best.flatMap((alternative) => asText(alternative['transcript'])?.trim() ?? []);
  return toTranscriptionReply({
    text: texts.filter((text) => text !== '').join(' '),
    language,
    seconds: readSeconds(metadata?.['totalBilledDuration']),
    words: best.flatMap((alternative) => asRecords(alternative['words']).flatMap(readWord)),
  });
}

function readWord(reported: JsonRecord): HeardWord[] {
  const word = asText(reported['word']);
  const end = readSeconds(reported['endOffset']);
  if (word === undefined || end === undefined) return [];
  const speaker = asText(reported['speakerLabel']);
  // A word at the very beginning has no offset.
  const start = readSeconds(reported['startOffset']) ?? 0;
  return [{ word, text: `${word} `, start, end, ...(speaker === undefined ? {} : { speaker: `speaker_${speaker}` }) }];
}

/** "7.120s" */
function readSeconds(value: unknown): number | undefined {
  const seconds = DURATION.exec(asText(value) ?? '')?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}
