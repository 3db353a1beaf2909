import { NO_MEDIA_USAGE, tokenUsage, type MediaUsage, type SpeechDecoder, type SpeechRequest } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { findMostUsage, measureMedia } from '@weir/limits';
import { priceAttempt } from '@weir/meter';
import { formatUsd } from '@weir/pricing';
import { estimateTextTokens as countText } from '@weir/providers';
import { keepPlausible, type CountedUse } from '../media/keep-plausible';
import { boundUsage, findHeldPico, isPriced, measureUsage } from '../media/bound-usage';
import { isPricedByTokens } from '../media/close-media-attempt';
import { estimateTextTokens } from '../media/estimate-text-tokens';
import type { MediaContext } from '../media/media-modality';

/** What vendors document for a second of speech. */
const TOKENS_PER_SECOND = 21;
/** As fast as anybody reads. */
const CHARACTERS_PER_SECOND = 12;
/** The least that a second of speech has in a compressed format. */
const BYTES_PER_SECOND = 3_000;
const PCM_BYTES_PER_SECOND = 48_000;

/** As far as is known while the audio comes. */
type Spoken = {
  readonly reported: MediaUsage | null;
  /** Of the audio; null before any of it. */
  readonly bytes: number | null;
  readonly isWhole: boolean;
  /** See MostFacts. */
  readonly maxOutputTokens: number | null;
};

/** The usage of a reply: characters are counted here; tokens are the provider's where they can be, or a guess by the length of the audio. */
export function completeSpeechUsage(asked: SpeechRequest, attempt: Attempt, spoken: Spoken): CountedUse {
  return keepPlausible(spoken.reported, { most: findMost(asked, spoken.maxOutputTokens), attempt }, (reported) =>
    countSpoken(asked, attempt, { ...spoken, reported }),
  );
}

/** As the edge found it for the hold. */
function findMost({ input, instructions, speed, unmapped }: SpeechRequest, maxOutputTokens: number | null): MediaUsage {
  const json = { input, instructions, speed, ...unmapped };
  const media = measureMedia({ modality: 'speech', json, imageFiles: 0, audioSeconds: 0 });
  return findMostUsage({ modality: 'speech', media, maxOutputTokens });
}

function countSpoken(asked: SpeechRequest, attempt: Attempt, { reported, bytes, isWhole }: Omit<Spoken, 'maxOutputTokens'>): MediaUsage {
  const characters = reported?.characters === undefined || reported.characters === 0 ? countCharacters(asked.input) : reported.characters;
  if (!isPricedByTokens(attempt))
    return { ...(reported ?? NO_MEDIA_USAGE), characters, source: reported?.characters ? 'provider' : 'tokenizer' };
  if (reported !== null) return { ...reported, characters };
  const seconds = findLength(asked, { bytes, isWhole, characters });
  return {
    ...NO_MEDIA_USAGE,
    inputTextTokens: countText(asked.input + (asked.instructions ?? ''), attempt.upstreamModel),
    outputAudioTokens: Math.ceil(seconds * TOKENS_PER_SECOND),
    characters,
    source: 'estimate',
  };
}

type Heard = Pick<Spoken, 'bytes' | 'isWhole'> & { readonly characters: number };

/** In seconds: by the audio where that says it, else as long as the text takes to be read. */
function findLength(asked: SpeechRequest, { bytes, isWhole, characters }: Heard): number {
  const isByText = bytes === null || (isWhole && !isSampled(asked));
  return isByText ? characters / CHARACTERS_PER_SECOND / asked.speed : bytes / bytesPerSecond(asked);
}

/** What a reply will be charged, as far as that is known at its beginning. */
export type CostAhead = {
  readonly costUsd: string;
  /** It is charged by its text alone, and its provider reports no other count. */
  readonly isFinal: boolean;
};

/** By the same count and the same bounds as a reply is charged by. */
export function priceAhead(context: MediaContext<SpeechRequest>, { reportsUsage }: Pick<SpeechDecoder, 'reportsUsage'>): CostAhead {
  const { asked, charges, place } = context;
  const { attempt } = place;
  const bound = { attempt, heldPico: findHeldPico(context) };
  const usage = boundUsage(countSpoken(asked, attempt, { reported: null, bytes: null, isWhole: true }), bound);
  const costPico = isPriced(usage, attempt) ? priceAttempt(attempt.prices, tokenUsage(usage), measureUsage(usage, { attempt })) : 0n;
  return { costUsd: formatUsd(charges.earlierPico + costPico), isFinal: !isPricedByTokens(attempt) && !reportsUsage };
}

/** What speech uses at least: its characters, which are certain, or the tokens of its text. */
export function expectSpeech(asked: SpeechRequest, attempt: Attempt): MediaUsage {
  const counted = countSpeech(asked);
  return isPricedByTokens(attempt)
    ? { ...counted, inputTextTokens: estimateTextTokens(asked.input + (asked.instructions ?? '')) }
    : counted;
}

function countSpeech({ input }: SpeechRequest): MediaUsage {
  return { ...NO_MEDIA_USAGE, characters: countCharacters(input), source: 'tokenizer' };
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function isSampled({ format }: SpeechRequest): boolean {
  return format === 'pcm' || format === 'wav';
}

function bytesPerSecond(asked: SpeechRequest): number {
  return isSampled(asked) ? PCM_BYTES_PER_SECOND : BYTES_PER_SECOND;
}
