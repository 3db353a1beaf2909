import { NO_MEDIA_USAGE, readMediaFile, type MediaFile, type MediaUsage, type TranscriptionRequest } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { measureSeconds } from '@weir/providers';
import { pricedUnits } from '../media/bound-usage';
import { isPricedByTokens } from '../media/close-media-attempt';
import { estimateTextTokens } from '../media/estimate-text-tokens';

/** As few as speech has in any common format that cannot be read here. */
const BYTES_PER_SECOND = 8_000;
/** What vendors document for a second of sound. */
const TOKENS_PER_SECOND = 17;

/** How long a recording is; a guess by its size where it cannot be read. */
export type RecordingLength = { readonly seconds: number; readonly source: MediaUsage['source'] };

/** Looked up once for each recording, however many attempts there are. */
const lengths = new WeakMap<MediaFile, Promise<RecordingLength>>();

export function measureLength(file: MediaFile): Promise<RecordingLength> {
  const length = lengths.get(file) ?? measure(file);
  lengths.set(file, length);
  return length;
}

async function measure(file: MediaFile): Promise<RecordingLength> {
  const seconds = await measureSeconds(await readMediaFile(file));
  return seconds === undefined ? { seconds: file.size / BYTES_PER_SECOND, source: 'estimate' } : { seconds, source: 'tokenizer' };
}

/** Whether the usage that a provider told leaves out what its model is charged by. */
export function needsLength(told: MediaUsage | null, attempt: Attempt): boolean {
  if (told === null) return true;
  if (isPricedByTokens(attempt)) return told.inputAudioTokens + told.inputTextTokens + told.outputTextTokens === 0;
  return Object.hasOwn(pricedUnits(attempt), 'second') && told.seconds === 0;
}

/** The usage of a transcription whose provider did not tell it, from the length of the recording and what was written down. */
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
    outputTextTokens: estimateTextTokens(text),
    seconds,
    source: 'estimate',
  };
}
