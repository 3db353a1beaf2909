import { add, isEqual, multiply, parseDecimal, roundHalfEven, shift, writeDecimal, writeUsd, type Decimal } from '../../format/decimals';

type Line = { readonly unit: string; readonly quantity: string; readonly price: string; readonly amount: string };

/** A line as it is shown: the price of as many units as prices are usually stated for. */
export type ShownLine = {
  readonly unit: string;
  readonly quantity: string;
  readonly price: string;
  readonly per: string;
  readonly amount: string;
  /** Quantity × price is the amount. */
  readonly isRight: boolean;
};

export type Recomputed = {
  readonly lines: readonly ShownLine[];
  readonly sum: string;
  /** The sum is finer than money is kept, and was rounded to the cost. */
  readonly isRounded: boolean;
  readonly isRight: boolean;
};

/** The gateway keeps money to a pico-dollar. */
const PLACES = 12;
const MILLION = 6;

const UNITS: Readonly<Record<string, readonly [name: string, per: string]>> = {
  input: ['Input', 'M tokens'],
  cached_input: ['Input read from the cache', 'M tokens'],
  cache_write_5m: ['Input written to the cache, 5 minutes', 'M tokens'],
  cache_write_1h: ['Input written to the cache, 1 hour', 'M tokens'],
  audio_input: ['Audio input', 'M tokens'],
  output: ['Output', 'M tokens'],
  audio_output: ['Audio output', 'M tokens'],
  input_token: ['Input', 'M tokens'],
  input_image_token: ['Image input', 'M tokens'],
  output_token: ['Output', 'M tokens'],
  output_image_token: ['Image output', 'M tokens'],
  character: ['Characters', 'M characters'],
  search: ['Searches', 'search'],
  second: ['Audio', 'second'],
  image: ['Images', 'image'],
};

/** Proves a cost by its lines: each is multiplied again, all are added, and the sum is held against the cost. */
export function recomputeCost(lines: readonly Line[], cost: string): Recomputed {
  const sum = lines.reduce((total, { amount }) => add(total, parseDecimal(amount)), parseDecimal('0'));
  const rounded = roundHalfEven(sum, PLACES);
  const shown = lines.map(showLine);
  return {
    lines: shown,
    sum: writeUsd(sum),
    isRounded: !isEqual(sum, rounded),
    isRight: isEqual(rounded, parseDecimal(cost)) && shown.every(({ isRight }) => isRight),
  };
}

function showLine({ unit, quantity, price, amount }: Line): ShownLine {
  const [name, per] = nameUnit(unit);
  const [count, each, product] = [quantity, price, amount].map(parseDecimal) as [Decimal, Decimal, Decimal];
  return {
    unit: name,
    quantity: writeDecimal(count),
    price: writeUsd(per.startsWith('M ') ? shift(each, MILLION) : each),
    per,
    amount: writeUsd(product),
    isRight: isEqual(multiply(count, each), product),
  };
}

/** `image:hd:1024x1024` → images, hd, 1024x1024. */
function nameUnit(unit: string): readonly [name: string, per: string] {
  const [kind = unit, ...variant] = unit.split(':');
  const [name, per] = UNITS[kind] ?? [kind.replaceAll('_', ' '), 'unit'];
  return [[name, ...variant].join(', '), per];
}
