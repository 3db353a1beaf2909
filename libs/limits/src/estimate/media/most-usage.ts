import { inputTokens, measuredUnits, NO_MEDIA_USAGE, outputTokens, type MediaUsage } from '@weir/canonical';
import type { Modality, UnitPriceSheet } from '@weir/contracts';
import { ATTO_PER_PICO, compilePriceSheet } from '@weir/pricing';
import { divideUp } from '../amounts/price-bounds';
import type { MediaMeasure } from './measure-media';

export type MostFacts = {
  readonly modality: Modality;
  /** Of a request without pictures or sound: bounds the tokens of what goes in. */
  readonly textTokens?: number | undefined;
  /** Absent for a modality without pictures or sound. */
  readonly media?: MediaMeasure | undefined;
  /** What the catalogue says of one answer of the model, whose thoughts are billed as its output. Null: it does not say. */
  readonly maxOutputTokens: number | null;
};

const IMAGE_IN_TOKENS_MAX = 10_000;
/** Words beside one picture: thoughts, and descriptions of it. */
const WORDS_PER_IMAGE = 10_000;
/** What is heard, and what is written of it, at the providers that make most of a second. */
const AUDIO_TOKENS_PER_SECOND = 50;
const WRITTEN_TOKENS_PER_SECOND = 30;
const WRITTEN_TOKENS_MIN = 1_000;

/**
 * The most of everything that a request of units can be charged for. What is set aside for it is the price of this, and what
 * a provider reports of it is believed up to this: no price unit can be charged beyond what was held.
 */
export function findMostUsage({ modality, textTokens = 0, media, maxOutputTokens }: MostFacts): MediaUsage {
  if (media === undefined) return { ...NO_MEDIA_USAGE, inputTextTokens: textTokens };
  const { count, imagesIn, characters, spokenTokens, tokensPerImage, seconds } = media;
  const said = (explained: number): number => Math.ceil(Math.max(explained, (maxOutputTokens ?? 0) * count));
  const words = { ...NO_MEDIA_USAGE, inputTextTokens: media.textTokens };
  switch (modality) {
    case 'image':
      return {
        ...words,
        inputImageTokens: imagesIn * IMAGE_IN_TOKENS_MAX,
        outputTextTokens: said(count * WORDS_PER_IMAGE),
        outputImageTokens: count * tokensPerImage,
        images: count,
      };
    case 'speech':
      return { ...words, outputAudioTokens: said(spokenTokens), characters };
    case 'transcription':
      return {
        ...words,
        inputAudioTokens: Math.ceil(seconds * AUDIO_TOKENS_PER_SECOND),
        outputTextTokens: said(WRITTEN_TOKENS_MIN + seconds * WRITTEN_TOKENS_PER_SECOND),
        // Providers that bill whole seconds round up.
        seconds: Math.ceil(seconds),
      };
    case 'chat':
    case 'embedding':
      return words;
  }
}

/** What the most usage costs, in pico-dollars, rounded up; pictures by the dearest of their qualities and sizes. */
export function priceMostUsage(sheet: UnitPriceSheet, most: MediaUsage): bigint {
  const { image: images = 0, ...units } = measuredUnits(most, sheet.units);
  let atto = 0n;
  let dearestImage = 0n;
  for (const [unit, price] of compilePriceSheet(sheet).units) {
    if (unit !== 'image' && !unit.startsWith('image:')) atto += BigInt(units[unit] ?? 0) * price;
    else if (price > dearestImage) dearestImage = price;
  }
  return divideUp(atto + BigInt(images) * dearestImage, ATTO_PER_PICO);
}

/**
 * What a provider reported of a request about pictures or sound, no count larger than the most. Returns the very same object
 * where nothing has to be cut, as an estimate otherwise.
 */
export function boundMediaUsage(reported: MediaUsage, most: MediaUsage): MediaUsage {
  const [inputTextTokens, inputAudioTokens] = cutBoth(
    [reported.inputTextTokens, reported.inputAudioTokens],
    most.inputTextTokens + most.inputAudioTokens,
  );
  const [outputTextTokens, outputAudioTokens] = cutBoth(
    [reported.outputTextTokens, reported.outputAudioTokens],
    most.outputTextTokens + most.outputAudioTokens,
  );
  // A provider that does not separate the kinds reports pictures that went in as words, more than there were.
  const isSeparated = reported.inputImageTokens > 0;
  const pictures = isSeparated ? reported.inputImageTokens : inputTokens(reported) - inputTextTokens - inputAudioTokens;
  const bounded: MediaUsage = {
    ...{ inputTextTokens, inputAudioTokens, outputTextTokens, outputAudioTokens },
    inputImageTokens: cut(pictures, most.inputImageTokens),
    outputImageTokens: cut(reported.outputImageTokens, most.outputImageTokens),
    images: cut(reported.images, most.images),
    characters: cut(reported.characters, most.characters),
    seconds: cut(reported.seconds, most.seconds),
    source: 'estimate',
  };
  return isSame(bounded, reported) ? reported : bounded;
}

/** What is no number is not below the most either. */
function cut(count: number, most: number): number {
  return count <= most ? count : most;
}

/** Two kinds that share a bound, in the same proportion. */
function cutBoth([one, other]: readonly [number, number], most: number): readonly [number, number] {
  const whole = one + other;
  if (whole <= most) return [one, other];
  const kept = Math.floor((one / whole) * most);
  return [kept, other === 0 ? 0 : Math.floor((other / whole) * most)];
}

const COUNTS = Object.keys(NO_MEDIA_USAGE).filter((name) => name !== 'source') as Exclude<keyof MediaUsage, 'source' | 'isDoubtful'>[];

function isSame(one: MediaUsage, other: MediaUsage): boolean {
  return COUNTS.every((name) => one[name] === other[name]);
}

/** The same for limits that count tokens. */
export function countMostTokens(most: MediaUsage): { readonly inputTokens: number; readonly outputTokens: number } {
  return { inputTokens: inputTokens(most), outputTokens: outputTokens(most) };
}
