import { NO_MEDIA_USAGE, type MediaUsage, type SpeechRequest } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { measureMedia, type MediaMost } from '@weir/limits';
import { formatUsd, priceUnits } from '@weir/pricing';
import { estimateTextTokens as countText } from '@weir/providers';
import { believeTold, type CountedUse } from '../media/believe-told';
import { boundUsage, pricedUnits } from '../media/bound-usage';
import { isPricedByTokens } from '../media/close-media-attempt';
import { estimateTextTokens } from '../media/estimate-text-tokens';
import type { MediaAsk } from '../media/media-kind';

/** What vendors document for a second of speech. */
const TOKENS_PER_SECOND = 21;
/** As fast as anybody reads. */
const CHARACTERS_PER_SECOND = 12;
/** The least that a second of speech has in a compressed format. */
const BYTES_PER_SECOND = 3_000;
const PCM_BYTES_PER_SECOND = 48_000;

/** As far as is known while the audio comes. */
export type Spoken = {
  readonly told: MediaUsage | null;
  readonly bytes: number;
  readonly isWhole: boolean;
  /** See MediaMost. */
  readonly maxOutputTokens: number | null;
};

/** The usage of a reply: characters are counted here; tokens are the provider's where they can be, or a guess by the length of the audio. */
export function completeSpeechUsage(asked: SpeechRequest, attempt: Attempt, spoken: Spoken): CountedUse {
  return believeTold(spoken.told, describeMost(asked, spoken.maxOutputTokens), (told) => countSpoken(asked, attempt, { ...spoken, told }));
}

function describeMost({ input, instructions, speed, unmapped }: SpeechRequest, maxOutputTokens: number | null): MediaMost {
  const json = { input, instructions, speed, ...unmapped };
  const media = measureMedia({ modality: 'speech', json, imageFiles: 0, audioSeconds: 0 });
  return { modality: 'speech', textTokens: media.textTokens, media, count: 1, maxOutputTokens };
}

function countSpoken(asked: SpeechRequest, attempt: Attempt, { told, bytes, isWhole }: Spoken): MediaUsage {
  const characters = told?.characters === undefined || told.characters === 0 ? countCharacters(asked.input) : told.characters;
  if (!isPricedByTokens(attempt)) return { ...(told ?? NO_MEDIA_USAGE), characters, source: told?.characters ? 'provider' : 'tokenizer' };
  if (told !== null) return { ...told, characters };
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
export function priceAhead({ request, asked, charges, turn: { attempt } }: MediaAsk<SpeechRequest>): string | undefined {
  const { prices } = attempt;
  if (prices.kind !== 'units' || isPricedByTokens(attempt) || !Object.hasOwn(pricedUnits(attempt), 'character')) return undefined;
  const { hold } = request.work.passport;
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
