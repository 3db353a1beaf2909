import {
  createCountReader,
  isNumeral,
  NO_MEDIA_USAGE,
  type MediaUsage,
  type TranscriptionEvent,
  type TranscriptionReply,
  type TranscriptionStreamDecoder,
  type TranscriptSegment,
  type TranscriptWord,
} from '@weir/canonical';
import { readReportedMedia } from '../../failures/failed-reply';
import { unreadableReply } from '../../failures/unsupported';
import { createJsonEvents } from '../../media/json-events';
import type { MediaReply } from '../../provider/media-provider';
import { asArray, asRecord, asText, parseJson, pickOthers, withoutUndefined, type JsonRecord } from '../../wire/json-value';

const KNOWN: ReadonlySet<string> = new Set(['task', 'text', 'language', 'duration', 'segments', 'words', 'logprobs', 'usage', 'model']);
const KNOWN_OF_SEGMENT: ReadonlySet<string> = new Set(['id', 'start', 'end', 'text', 'speaker', 'type']);

/** Reads a JSON reply of any kind. Throws `provider_unreadable` for one without text. */
export function decodeTranscription({ bytes }: Pick<MediaReply, 'bytes'>): TranscriptionReply {
  const body = asRecord(parseJson(bytes.toString('utf8'))) ?? {};
  const duration = readSeconds(body['duration']);
  return readReportedMedia(
    () => readTranscript(body, duration),
    () => decodeUsage(body['usage'], duration),
  );
}

function readTranscript(body: JsonRecord, duration: number | undefined): TranscriptionReply {
  if (typeof body['text'] !== 'string') throw unreadableReply();
  return withoutUndefined({
    text: body['text'],
    language: asText(body['language']),
    durationSeconds: duration,
    segments: Array.isArray(body['segments']) ? asArray(body['segments']).map(decodeSegment) : undefined,
    words: Array.isArray(body['words']) ? asArray(body['words']).map(decodeWord) : undefined,
    logprobs: body['logprobs'] ?? undefined,
    usage: decodeUsage(body['usage'], duration),
    unmapped: pickOthers(body, KNOWN),
  });
}

/** Reads `transcript.text.*` events; others are passed over. */
export function createTranscriptionStreamDecoder(): TranscriptionStreamDecoder {
  return createJsonEvents(decodeEvent);
}

function decodeEvent(body: JsonRecord): TranscriptionEvent[] {
  const logprobs = body['logprobs'] ?? undefined;
  switch (body['type']) {
    case 'transcript.text.delta':
      return [withoutUndefined({ type: 'delta', text: String(body['delta'] ?? ''), segmentId: asText(body['segment_id']), logprobs })];
    case 'transcript.text.segment':
      return [{ type: 'segment', segment: decodeSegment(body, 0) }];
    case 'transcript.text.done':
      return [withoutUndefined({ type: 'done', text: String(body['text'] ?? ''), usage: decodeUsage(body['usage'], undefined), logprobs })];
    default:
      return [];
  }
}

/** Tokens or seconds, in OpenAI's words or in those of providers that count the seconds of a prompt. */
function decodeUsage(reported: unknown, duration: number | undefined): MediaUsage | null {
  const usage = asRecord(reported) ?? {};
  const first = (...names: readonly string[]): unknown => names.map((name) => usage[name]).find((value) => value !== undefined);
  const seconds = readSeconds(first('seconds', 'prompt_audio_seconds')) ?? duration;
  const [input, output] = [first('input_tokens', 'prompt_tokens'), first('output_tokens', 'completion_tokens')];
  const isInTokens = isNumeral(input) || isNumeral(output);
  if (seconds === undefined && !isInTokens) return null;
  const details = asRecord(first('input_token_details', 'prompt_tokens_details'));
  const { count, needed, part, doubt } = createCountReader();
  // Who is billed by the second needs none of them.
  const read = isInTokens ? needed : count;
  const all = read(input, usage['total_tokens'], count(output));
  const text = part(details?.['text_tokens'], all);
  return {
    ...NO_MEDIA_USAGE,
    inputTextTokens: text,
    inputAudioTokens: all - text,
    outputTextTokens: read(output, usage['total_tokens'], all),
    seconds: seconds ?? 0,
    ...doubt(),
  };
}

function decodeSegment(value: unknown, index: number): TranscriptSegment {
  const segment = asRecord(value) ?? {};
  const { id } = segment;
  return withoutUndefined({
    id: typeof id === 'number' || typeof id === 'string' ? id : index,
    start: readSeconds(segment['start']) ?? 0,
    end: readSeconds(segment['end']) ?? 0,
    text: String(segment['text'] ?? ''),
    speaker: asText(segment['speaker']),
    unmapped: pickOthers(segment, KNOWN_OF_SEGMENT),
  });
}

function decodeWord(value: unknown): TranscriptWord {
  const word = asRecord(value) ?? {};
  return withoutUndefined({
    word: String(word['word'] ?? ''),
    start: readSeconds(word['start']) ?? 0,
    end: readSeconds(word['end']) ?? 0,
    speaker: asText(word['speaker']),
  });
}

/** Some providers write durations as text. */
function readSeconds(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? Number(value) : value;
  return typeof seconds === 'number' && seconds >= 0 && Number.isFinite(seconds) ? seconds : undefined;
}
