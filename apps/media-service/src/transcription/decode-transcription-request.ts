import { TRANSCRIPT_FORMATS, type TranscriptionRequest } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import type { WatchedRequest } from '@weir/exchange';
import type { ReceivedForm } from '@weir/http-server';
import { invalid, readChoice, readFlag, readNumber, readText, readTexts, requireText, type Fields } from '../media/read-fields';
import { plainName, readFormFields, type FormShape } from '../media/read-form-fields';

const SPEAKERS_MAX = 4;
const LISTED_MAX = 16;
const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?$/;
const EXTENSION = /\.(flac|mp3|mp4|mpeg|mpga|m4a|ogg|oga|opus|wav|webm|aac)$/i;
const STRATEGY_MEMBER = /^chunking_strategy\[(\w+)\]$/;
const TRANSLATED_FORMATS = TRANSCRIPT_FORMATS.filter((format) => format !== 'diarized_json');

/** Fields with a word in the neutral language, and those that are read elsewhere. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['model', 'language', 'prompt', 'response_format', 'temperature', 'timestamp_granularities', 'include', 'chunking_strategy'],
  ...['known_speaker_names', 'known_speaker_references', 'stream', 'weir', 'requesty'],
]);
const FORM: FormShape = {
  numbers: ['temperature'],
  flags: ['stream'],
  lists: ['timestamp_granularities', 'include', 'known_speaker_names', 'known_speaker_references'],
};

/** Reads a request for a transcription or a translation. Throws a 400 that names the field at fault. */
export function decodeTranscriptionRequest({ forwarded }: Pick<WatchedRequest, 'forwarded'>): TranscriptionRequest {
  const { form, passport } = forwarded;
  if (form === undefined)
    throw new GatewayError('invalid_request', 'The request must be multipart/form-data with a file.', { field: 'file' });
  const task = passport.endpointId === 'translations' ? 'translate' : 'transcribe';
  const fields = readFormFields(form, FORM);
  const format = readChoice(fields, 'response_format', task === 'translate' ? TRANSLATED_FORMATS : TRANSCRIPT_FORMATS) ?? 'json';
  return withoutUndefined({
    model: requireText(fields, 'model'),
    file: readFile(form),
    task,
    language: readLanguage(fields),
    prompt: readText(fields, 'prompt'),
    format,
    temperature: readNumber(fields, 'temperature', [0, 1]),
    timestampGranularities: readGranularities(fields, format),
    include: readIncluded(fields),
    chunkingStrategy: readStrategy(form, fields),
    knownSpeakers: readSpeakers(fields),
    stream: readFlag(fields, 'stream'),
    unmapped: readUnmapped(form),
  });
}

function readFile({ files }: ReceivedForm): TranscriptionRequest['file'] {
  const named = files.filter(({ field }) => field === 'file');
  const [file] = named;
  if (file === undefined) throw invalid('file', 'is required');
  if (named.length > 1) throw invalid('file', 'must be given once');
  if (file.size === 0) throw invalid('file', 'must not be empty');
  const isSound = file.type.startsWith('audio/') || file.type.startsWith('video/');
  if (!isSound && !(file.type === 'application/octet-stream' && EXTENSION.test(file.name))) {
    throw invalid('file', 'must be a recording: flac, mp3, mp4, mpeg, mpga, m4a, ogg, wav or webm');
  }
  return file;
}

function readLanguage(fields: Fields): string | undefined {
  const language = readText(fields, 'language');
  if (language !== undefined && language !== '' && !LANGUAGE.test(language)) throw invalid('language', 'must be a code such as "en"');
  return language === '' ? undefined : language;
}

function readGranularities(fields: Fields, format: TranscriptionRequest['format']): TranscriptionRequest['timestampGranularities'] {
  const field = 'timestamp_granularities';
  const asked = readTexts(fields, field, LISTED_MAX);
  if (asked.length > 0 && format !== 'verbose_json') throw invalid(field, 'needs response_format "verbose_json"');
  return asked.map((one) => {
    if (one !== 'word' && one !== 'segment') throw invalid(field, 'must be "word" or "segment"');
    return one;
  });
}

function readIncluded(fields: Fields): readonly string[] {
  const included = readTexts(fields, 'include', LISTED_MAX);
  if (included.some((one) => one !== 'logprobs')) throw invalid('include', 'can only hold "logprobs"');
  return included;
}

/** `auto`, an object as JSON, or its members as fields of their own: `chunking_strategy[type]`. */
function readStrategy({ fields: given }: ReceivedForm, fields: Fields): TranscriptionRequest['chunkingStrategy'] {
  const members = given.flatMap(({ name, value }): [string, unknown][] => {
    const member = STRATEGY_MEMBER.exec(name)?.[1];
    return member === undefined ? [] : [[member, /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value]];
  });
  if (members.length > 0) return Object.fromEntries(members);
  const text = readText(fields, 'chunking_strategy');
  if (text === undefined || text === '' || text === 'auto') return text === 'auto' ? text : undefined;
  const strategy = parseObject(text);
  if (strategy === undefined) throw invalid('chunking_strategy', 'must be "auto" or an object');
  return strategy;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // refused by the caller of this function, which names the field
  }
}

function readSpeakers(fields: Fields): TranscriptionRequest['knownSpeakers'] | undefined {
  const names = readTexts(fields, 'known_speaker_names', SPEAKERS_MAX);
  const references = readTexts(fields, 'known_speaker_references', SPEAKERS_MAX);
  if (names.length === 0 && references.length === 0) return undefined;
  if (names.length !== references.length && references.length > 0) {
    throw invalid('known_speaker_references', 'must have as many entries as known_speaker_names');
  }
  return names.map((name, index) => {
    const reference = references[index];
    return reference === undefined ? { name } : { name, reference };
  });
}

function readUnmapped({ fields }: ReceivedForm): TranscriptionRequest['unmapped'] | undefined {
  const others = fields.filter(
    ({ name }) => !KNOWN.has(plainName(name)) && !STRATEGY_MEMBER.test(name) && !/^(weir|requesty)\b/.test(name),
  );
  return others.length === 0 ? undefined : others;
}

function withoutUndefined(asked: { [Name in keyof TranscriptionRequest]-?: TranscriptionRequest[Name] | undefined }): TranscriptionRequest {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as unknown as TranscriptionRequest;
}
