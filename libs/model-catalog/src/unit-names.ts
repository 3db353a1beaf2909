import type { Modality, UnitPriceSheet } from '@weir/contracts';

type Unit = {
  /** The name of this price in the public model record. */
  readonly publicKey: string;
  /** What is counted, where it is not tokens and the public name does not say it; shown as `pricing_units` in the public record. */
  readonly counts?: 'image' | 'second';
  /** A price above this is a typing error, such as a price per million in the place of a price per one. */
  readonly maxUsd: number;
};

const PER_TOKEN_MAX = 0.01;
const PER_SECOND_MAX = 0.1;
const PER_IMAGE_MAX = 10;
export const PER_TOKEN_MAX_USD = PER_TOKEN_MAX;
export const PER_SEARCH_MAX_USD = 1;

/** The units that models of each modality are charged by: unit name in price sheets → its public face. Chat is priced in tiers. */
export const UNITS_OF_MODALITY: Readonly<Record<Exclude<Modality, 'chat'>, Readonly<Record<string, Unit>>>> = {
  embedding: {
    input_token: { publicKey: 'input_text', maxUsd: PER_TOKEN_MAX },
    input_image: { publicKey: 'input_image', counts: 'image', maxUsd: PER_IMAGE_MAX },
    input_audio_second: { publicKey: 'input_audio', counts: 'second', maxUsd: PER_SECOND_MAX },
    input_video_second: { publicKey: 'input_video', counts: 'second', maxUsd: PER_SECOND_MAX },
  },
  image: {
    input_token: { publicKey: 'input_text', maxUsd: PER_TOKEN_MAX },
    input_image_token: { publicKey: 'input_image', maxUsd: PER_TOKEN_MAX },
    output_token: { publicKey: 'output_text', maxUsd: PER_TOKEN_MAX },
    output_image_token: { publicKey: 'output_image', maxUsd: PER_TOKEN_MAX },
    image: { publicKey: 'output_image', counts: 'image', maxUsd: PER_IMAGE_MAX },
  },
  speech: {
    character: { publicKey: 'input_character', maxUsd: PER_TOKEN_MAX },
    input_token: { publicKey: 'input_token', maxUsd: PER_TOKEN_MAX },
    output_token: { publicKey: 'output_token', maxUsd: PER_TOKEN_MAX },
  },
  transcription: {
    second: { publicKey: 'input_second', maxUsd: PER_SECOND_MAX },
    input_token: { publicKey: 'input_token', maxUsd: PER_TOKEN_MAX },
    output_token: { publicKey: 'output_token', maxUsd: PER_TOKEN_MAX },
  },
};

/** Images of a special quality and size may have their own price beside the plain one: `image:hd:1792x1024`. */
const IMAGE_VARIANT = /^image:[a-z]+:\d+x\d+$/;

export function isImageVariant(unit: string): boolean {
  return IMAGE_VARIANT.test(unit);
}

/** The unit a generated image is charged by: its quality and size where they have a price of their own, else plain `image`. */
export function imageUnit(sheet: UnitPriceSheet, quality: string, size: string): string {
  const variant = `image:${quality}:${size}`;
  return Object.hasOwn(sheet.units, variant) ? variant : 'image';
}
