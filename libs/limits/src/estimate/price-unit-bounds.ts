import type { Modality, UnitPriceSheet } from '@weir/contracts';
import { ATTO_PER_PICO, compilePriceSheet } from '@weir/pricing';
import { divideUp } from './price-bounds';

export type UnitFacts = {
  readonly modality: Modality;
  /** Of the body without encoded media: bounds tokens and characters. */
  readonly textTokens: number;
  readonly bodyBytes: number;
  /** Results asked for. */
  readonly count: number;
};

/** What one picture is made of at most, in tokens, whichever provider makes it. */
const IMAGE_TOKENS_MAX = 10_000;
const IMAGES_IN_MAX = 16;
const IMAGE_IN_TOKENS_MAX = 10_000;
/** Speech: far more than the slowest voice makes of one character. */
const SPEECH_TOKENS_PER_CHARACTER = 10;
/** The lowest bit rate at which speech is still understood. */
const AUDIO_BYTES_PER_SECOND_MIN = 500;

/** What an attempt of the other modalities costs at most, in pico-dollars, rounded up. */
export function priceUnitBounds(sheet: UnitPriceSheet, facts: UnitFacts): bigint {
  let atto = 0n;
  let dearestImage = 0n;
  for (const [unit, price] of compilePriceSheet(sheet).units) {
    if (unit !== 'image' && !unit.startsWith('image:')) atto += BigInt(boundUnit(unit, facts)) * price;
    else if (price > dearestImage) dearestImage = price;
  }
  return divideUp(atto + BigInt(facts.count) * dearestImage, ATTO_PER_PICO);
}

function boundUnit(unit: string, { modality, textTokens, bodyBytes, count }: UnitFacts): number {
  switch (unit) {
    case 'input_token':
      return modality === 'transcription' ? bodyBytes : textTokens;
    case 'character':
      return textTokens;
    case 'second':
      return Math.ceil(bodyBytes / AUDIO_BYTES_PER_SECOND_MIN);
    case 'input_image_token':
      return IMAGES_IN_MAX * IMAGE_IN_TOKENS_MAX;
    case 'output_image_token':
      return count * IMAGE_TOKENS_MAX;
    case 'output_token':
      return modality === 'image' ? count * IMAGE_TOKENS_MAX : textTokens * SPEECH_TOKENS_PER_CHARACTER;
    default:
      return 0; // what no endpoint here sends, no provider measures
  }
}
