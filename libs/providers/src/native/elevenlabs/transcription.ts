import type { TranscriptionReply } from '@weir/canonical';
import { unreadableReply, unsupported } from '../../failures/unsupported';
import type { HeardWord } from '../../media/join-words';
import { readJsonReply } from '../../media/read-json-reply';
import { pickFormFields, reportTranscriptionLosses } from '../../media/report-transcription-losses';
import { toTranscriptionReply } from '../../media/to-transcription-reply';
import type { FormPart, MediaReply, TranscriptionLane } from '../../provider/media-provider';
import { asRecords, asText } from '../../wire/json-value';

/** Further fields that change how is heard, not what the reply looks like. */
const KNOWN: ReadonlySet<string> = new Set([
  'tag_audio_events',
  'num_speakers',
  'diarization_threshold',
  'seed',
  'keyterms',
  'entity_detection',
  'no_verbatim',
  'file_format',
]);

/** Transcription with the time of every word, and who says it where that is asked for. */
export const transcriptionLane: TranscriptionLane = {
  encodeRequest(request, { attempt }, losses) {
    if (request.task === 'translate') throw unsupported('model', 'Translating with this model');
    reportTranscriptionLosses(request, ['language', 'temperature'], losses);
    const field = (name: string, value: string | undefined): FormPart[] => (value === undefined ? [] : [{ kind: 'field', name, value }]);
    const isDiarized = request.format === 'diarized_json';
    return {
      path: '/speech-to-text',
      body: {
        kind: 'form',
        parts: [
          ...field('model_id', attempt.upstreamModel),
          ...field('language_code', request.language),
          ...field('temperature', request.temperature?.toString()),
          ...field('timestamps_granularity', 'word'),
          ...field('diarize', isDiarized ? 'true' : undefined),
          ...pickFormFields(request, KNOWN, losses).map((picked): FormPart => ({ kind: 'field', ...picked })),
          { kind: 'file', name: 'file', file: request.file },
        ],
      },
    };
  },
  decodeReply,
};

function decodeReply(reply: MediaReply): TranscriptionReply {
  const reported = readJsonReply(reply);
  const { text } = reported;
  if (typeof text !== 'string') throw unreadableReply();
  return toTranscriptionReply({
    text,
    language: asText(reported['language_code']),
    seconds: reported['audio_duration_secs'],
    words: readWords(reported['words']),
  });
}

/** Words, spaces and noises come in one list; spaces belong to the word before them, noises are words in brackets. */
function readWords(reported: unknown): HeardWord[] {
  const words: HeardWord[] = [];
  for (const { text, start, end, type, speaker_id } of asRecords(reported)) {
    if (typeof text !== 'string') continue;
    const last = words.at(-1);
    if (type === 'spacing') {
      if (last !== undefined) words[words.length - 1] = { ...last, text: last.text + text };
    } else if (typeof start === 'number' && typeof end === 'number') {
      const speaker = asText(speaker_id);
      words.push({ word: text, text, start, end, ...(speaker === undefined ? {} : { speaker }) });
    }
  }
  return words;
}
