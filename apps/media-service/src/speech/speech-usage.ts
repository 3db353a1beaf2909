import { NO_MEDIA_USAGE, type MediaUsage, type SpeechRequest } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { measureMedia, type MediaMost } from '@weir/limits';
import { formatUsd, priceUnits } from '@weir/pricing';
import { estimateTextTokens as countText } from '@weir/providers';
import { keepPlausible, type CountedUse } from '../media/keep-plausible';
import { boundUsage, pricedUnits } from '../media/bound-usage';
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
  readonly bytes: number;
  readonly isWhole: boolean;
  /** See MediaMost. */
  readonly maxOutputTokens: number | null;
};

/** The usage of a reply: characters are counted here; tokens are the provider's where they can be, or a guess by the length of the audio. */
export function completeSpeechUsage(asked: SpeechRequest, attempt: Attempt, spoken: Spoken): CountedUse {
  return keepPlausible(spoken.reported, describeMost(asked, spoken.maxOutputTokens), (reported) =>
    countSpoken(asked, attempt, { ...spoken, reported }),
  );
}

function describeMost({ input, instructions, speed, unmapped }: SpeechRequest, maxOutputTokens: number | null): MediaMost {
  const json = { input, instructions, speed, ...unmapped };
  const media = measureMedia({ modality: 'speech', json, imageFiles: 0, audioSeconds: 0 });
  return { modality: 'speech', textTokens: media.textTokens, media, count: 1, maxOutputTokens };
}

function countSpoken(asked: SpeechRequest, attempt: Attempt, { reported, bytes, isWhole }: Spoken): MediaUsage {
  const characters = reported?.characters === undefined || reported.characters === 0 ? countCharacters(asked.input) : reported.characters;
  if (!isPricedByTokens(attempt))
    return { ...(reported ?? NO_MEDIA_USAGE), characters, source: reported?.characters ? 'provider' : 'tokenizer' };
  if (reported !== null) return { ...reported, characters };
  const seconds = isWhole && !isSampled(asked) ? characters / CHARACTERS_PER_SECOND / asked.speed : bytes / bytesPerSecond(asked);
  return {
    ...NO_MEDIA_USAGE,
    inputTextTokens: countText(asked.input + (asked.instructions ?? ''), attempt.upstreamModel),
    outputAudioTokens: Math.ceil(seconds * TOKENS_PER_SECOND),
    characters,
    source: 'estimate',
  };
}

/** The cost of speech that is charged by its text alone: known before any of it was spoken. Undefined for other models. */
export function priceAhead({ request, asked, charges, place: { attempt } }: MediaContext<SpeechRequest>): string | undefined {
  const { prices } = attempt;
  if (prices.kind !== 'units' || isPricedByTokens(attempt) || !Object.hasOwn(pricedUnits(attempt), 'character')) return undefined;
  const { hold } = request.forwarded.passport;
  const { characters: character } = boundUsage(countSpeech(asked), { attempt, hold });
  return formatUsd(charges.earlierPico + priceUnits(prices, { character }));
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
