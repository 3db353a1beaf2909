import { TRANSCRIPT_FORMATS, type LossReport, type TranscriptFormat, type TranscriptionRequest } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import type { ProviderTarget } from '../../provider/target';
import { unsupported } from '../../failures/unsupported';
import type { FormPart, TranscriptionLane } from '../../provider/media-provider';
import type { CompatibleProvider } from '../rules/compatible-provider.schema';
import { findNewName } from './apply-edits';
import { toFieldText, type PlaceMedia } from './create-image-lane';
import { createTranscriptionStreamDecoder, decodeTranscription } from './decode-transcription';
import { rulesOfModel, type TranscriptionRules } from '../rules/media-rules.schema';

/** Transcriptions as OpenAI makes them. */
export function createTranscriptionLane(provider: CompatibleProvider, place: PlaceMedia): TranscriptionLane | undefined {
  const { transcription: path, translation: translationPath } = provider.endpoints;
  if (path === undefined) return undefined;
  const rulesFor = ({ attempt }: ProviderTarget): TranscriptionRules => rulesOfModel(provider.transcription, attempt.upstreamModel);
  return {
    translates: () => translationPath !== undefined,
    encodeRequest(request, target, losses) {
      const rules = rulesFor(target);
      checkRequest(request, rules);
      const parts = editParts(encodeParts(request, target, rules), rules, losses);
      if (request.task === 'transcribe') return place({ path, body: { kind: 'form', parts } }, target);
      if (translationPath === undefined) throw unsupported('model', 'Translation');
      return place({ path: translationPath, body: { kind: 'form', parts } }, target);
    },
    decodeReply: (reply) => decodeTranscription(reply),
    createStreamDecoder: (target) => (rulesFor(target).hasStreams === true ? createTranscriptionStreamDecoder() : null),
  };
}

function checkRequest(
  { format, file, task }: TranscriptionRequest,
  { formats = [...TRANSCRIPT_FORMATS], fileBytesMax }: TranscriptionRules,
): void {
  const isKnown = formats.includes(format) && !(task === 'translate' && format === 'diarized_json');
  if (!isKnown) throw unsupported('response_format', `The format "${format}"`);
  if (fileBytesMax !== undefined && file.size > fileBytesMax) {
    throw new GatewayError(
      'body_too_large',
      `file is larger than the ${fileBytesMax} bytes that the chosen model's provider takes. Send a smaller file, or use another model.`,
      {
        field: 'file',
      },
    );
  }
}

/** Plain text and subtitles carry no usage: they are made here, from a reply that does. */
function chooseFormat(format: TranscriptFormat, { formats = [...TRANSCRIPT_FORMATS], reportsUsage }: TranscriptionRules): TranscriptFormat {
  const hasTimes = formats.includes('verbose_json');
  if (format === 'srt' || format === 'vtt') return hasTimes ? 'verbose_json' : format;
  if (format === 'text' || format === 'json') return reportsUsage === true || !hasTimes ? 'json' : 'verbose_json';
  return format;
}

function encodeParts(request: TranscriptionRequest, target: ProviderTarget, rules: TranscriptionRules): FormPart[] {
  const { chunkingStrategy, knownSpeakers = [], temperature } = request;
  const fields: [string, string | undefined][] = [
    ['model', target.attempt.upstreamModel],
    ['language', request.task === 'translate' ? undefined : request.language],
    ['prompt', request.prompt],
    ['response_format', chooseFormat(request.format, rules)],
    ['temperature', temperature === undefined ? undefined : String(temperature)],
    ...listOf('timestamp_granularities[]', request.timestampGranularities),
    ...listOf('include[]', request.include),
    ['chunking_strategy', chunkingStrategy === undefined ? undefined : toFieldText(chunkingStrategy)],
    ...listOf(
      'known_speaker_names[]',
      knownSpeakers.map(({ name }) => name),
    ),
    ...listOf(
      'known_speaker_references[]',
      knownSpeakers.flatMap(({ reference }) => (reference === undefined ? [] : [reference])),
    ),
    ['stream', request.stream ? 'true' : undefined],
    ...(request.unmapped ?? []).map(({ name, value }): [string, string] => [name, value]),
  ];
  return [
    ...fields.flatMap(([name, value]): FormPart[] => (value === undefined ? [] : [{ kind: 'field', name, value }])),
    { kind: 'file', name: 'file', file: request.file },
  ];
}

function listOf(name: string, values: readonly string[]): [string, string][] {
  return values.map((value) => [name, value]);
}

function editParts(parts: readonly FormPart[], { renameParams = {}, dropParams = [] }: TranscriptionRules, losses: LossReport): FormPart[] {
  return parts.flatMap((part) => {
    const name = part.name.replace(/\[\]$/, '');
    if (!dropParams.includes(name)) return [{ ...part, name: findNewName(renameParams, name) ?? part.name }];
    losses.dropped.add(name);
    return [];
  });
}
