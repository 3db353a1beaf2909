import { NO_MEDIA_USAGE, readMediaFile, type MediaFile, type MediaUsage, type TranscriptionRequest } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { findMostUsage, measureMedia } from '@weir/limits';
import { estimateTextTokens as countText, type ProviderTarget } from '@weir/providers';
import { measureAudio } from '@weir/recordings';
import { keepPlausible, type CountedUse } from '../media/keep-plausible';
import { pricedUnits } from '../media/bound-usage';
import { isPricedByTokens } from '../media/close-media-attempt';
import { estimateTextTokens } from '../media/estimate-text-tokens';
import type { MeasureSeconds } from '../recordings/create-length-measurer';

/** As few as speech has in any common format that cannot be read here. */
const BYTES_PER_SECOND = 8_000;
/** What vendors document for a second of sound. */
const TOKENS_PER_SECOND = 17;

/** How long a recording is; a guess by its size where it cannot be read. */
export type RecordingLength = {
  readonly seconds: number;
  readonly source: MediaUsage['source'];
  /** How long it lasts at most, as it was measured for the hold, whatever its own head says. */
  readonly secondsMost: number;
};

/** Looked up once for each recording, however many attempts there are. */
const lengths = new WeakMap<MediaFile, Promise<RecordingLength>>();

export function measureLength(file: MediaFile, measureSeconds: MeasureSeconds): Promise<RecordingLength> {
  const length = lengths.get(file) ?? measure(file, measureSeconds);
  lengths.set(file, length);
  return length;
}

async function measure(file: MediaFile, measureSeconds: MeasureSeconds): Promise<RecordingLength> {
  const secondsMost = await measureAudio(file);
  const seconds = await measureSeconds(await readMediaFile(file));
  return seconds === undefined
    ? { seconds: file.size / BYTES_PER_SECOND, source: 'estimate', secondsMost }
    : { seconds, source: 'tokenizer', secondsMost };
}

/** Whether a reported usage leaves out what its model is charged by. */
function needsLength(reported: MediaUsage, attempt: Attempt): boolean {
  if (isPricedByTokens(attempt)) return reported.inputAudioTokens + reported.inputTextTokens + reported.outputTextTokens === 0;
  return Object.hasOwn(pricedUnits(attempt), 'second') && reported.seconds === 0;
}

type Heard = {
  readonly asked: TranscriptionRequest;
  readonly target: ProviderTarget;
  readonly length: RecordingLength;
  /** What was written down. */
  readonly text: string;
};

/** The usage of a transcription: as its provider reported, where that is plausible and has all that its model is charged by, else an estimate. */
export function completeTranscriptionUsage(reported: MediaUsage | null, heard: Heard): CountedUse {
  const { length, target } = heard;
  return keepPlausible(reported, { most: findMost(heard), attempt: target.attempt }, (plausible) =>
    plausible === null || needsLength(plausible, target.attempt) ? estimateTranscription(length, target.attempt, heard) : plausible,
  );
}

/** As the edge found it for the hold. */
function findMost({ asked: { prompt }, target: { model }, length }: Heard): MediaUsage {
  const media = measureMedia({ modality: 'transcription', json: { prompt }, imageFiles: 0, audioSeconds: length.secondsMost });
  return findMostUsage({ modality: 'transcription', media, maxOutputTokens: model.maxOutputTokens });
}

/** The usage of a transcription whose provider did not report it, from the length of the recording and what was written down. */
export function estimateTranscription(
  { seconds, source }: RecordingLength,
  attempt: Attempt,
  { asked, text }: { readonly asked: TranscriptionRequest; readonly text: string },
): MediaUsage {
  if (!isPricedByTokens(attempt)) return { ...NO_MEDIA_USAGE, seconds, source };
  return {
    ...NO_MEDIA_USAGE,
    inputTextTokens: estimateTextTokens(asked.prompt ?? ''),
    inputAudioTokens: Math.ceil(seconds * TOKENS_PER_SECOND),
    outputTextTokens: countText(text, attempt.upstreamModel),
    seconds,
    source: 'estimate',
  };
}
