import type { Modality, UnitPriceSheet } from '@weir/contracts';
import { ATTO_PER_PICO, compilePriceSheet } from '@weir/pricing';
import type { MediaMeasure } from './measure-media';
import { divideUp } from '../amounts/price-bounds';

export type UnitFacts = {
  readonly modality: Modality;
  /** Of the body without encoded media: bounds the tokens of what goes in. */
  readonly textTokens: number;
  /** Absent for a modality without pictures or sound. */
  readonly media?: MediaMeasure | undefined;
  /** Results asked for. */
  readonly count: number;
};

/** The most of each unit that an attempt can use. */
type UnitBounds = Readonly<Record<'inputText' | 'inputImage' | 'output' | 'outputImage' | 'character' | 'second', number>>;

const IMAGE_IN_TOKENS_MAX = 10_000;
/** Words beside one picture: thoughts, and descriptions of it. */
const WORDS_PER_IMAGE = 10_000;
/** What is heard, and what is written of it, at the providers that make most of a second. */
const AUDIO_TOKENS_PER_SECOND = 50;
const WRITTEN_TOKENS_PER_SECOND = 30;
const WRITTEN_TOKENS_MIN = 1_000;

/** What an attempt of the other modalities costs at most, in pico-dollars, rounded up. */
export function priceUnitBounds(sheet: UnitPriceSheet, facts: UnitFacts): bigint {
  const bounds = boundUnits(facts);
  const prices = compilePriceSheet(sheet).units;
  let atto = 0n;
  let dearestImage = 0n;
  for (const [unit, price] of prices) {
    if (unit !== 'image' && !unit.startsWith('image:')) atto += BigInt(Math.ceil(quantityOf(unit, bounds, prices))) * price;
    else if (price > dearestImage) dearestImage = price;
  }
  return divideUp(atto + BigInt(facts.count) * dearestImage, ATTO_PER_PICO);
}

export function boundUnits({ modality, textTokens, media, count }: UnitFacts): UnitBounds {
  if (media === undefined) return { inputText: textTokens, inputImage: 0, output: 0, outputImage: 0, character: 0, second: 0 };
  const { imagesIn, characters, spokenTokens, tokensPerImage, seconds } = media;
  const common = { inputText: media.textTokens, inputImage: 0, output: 0, outputImage: 0, character: characters, second: seconds };
  switch (modality) {
    case 'image':
      return {
        ...common,
        inputImage: imagesIn * IMAGE_IN_TOKENS_MAX,
        output: count * WORDS_PER_IMAGE,
        outputImage: count * tokensPerImage,
      };
    case 'speech':
      return { ...common, output: spokenTokens };
    case 'transcription':
      return {
        ...common,
        inputText: media.textTokens + seconds * AUDIO_TOKENS_PER_SECOND,
        output: WRITTEN_TOKENS_MIN + seconds * WRITTEN_TOKENS_PER_SECOND,
      };
    case 'chat':
    case 'embedding':
      return common;
  }
}

/** Tokens of pictures count as plain tokens where the sheet has no price of their own for them. */
function quantityOf(unit: string, bounds: UnitBounds, prices: ReadonlyMap<string, bigint>): number {
  switch (unit) {
    case 'input_token':
      return bounds.inputText + (prices.has('input_image_token') ? 0 : bounds.inputImage);
    case 'input_image_token':
      return bounds.inputImage;
    case 'output_token':
      return bounds.output + (prices.has('output_image_token') ? 0 : bounds.outputImage);
    case 'output_image_token':
      return bounds.outputImage;
    case 'character':
      return bounds.character;
    case 'second':
      return bounds.second;
    default:
      return 0; // what no endpoint here sends, no provider measures
  }
}
