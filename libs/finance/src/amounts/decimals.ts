import { divideHalfEven } from '@weir/pricing';

/** A decimal of `from` places as one of `to` places, both as integers; a tie goes to the even neighbour. */
export function roundHalfEven(value: bigint, from: number, to: number): bigint {
  if (to >= from) return value * 10n ** BigInt(to - from);
  const divisor = 10n ** BigInt(from - to);
  return value < 0n ? -divideHalfEven(-value, divisor) : divideHalfEven(value, divisor);
}

/** An integer count of 10^-places as decimal text with every place: 1230n of 2 is "12.30". */
export function formatFixed(value: bigint, places: number): string {
  if (value < 0n) return `-${formatFixed(-value, places)}`;
  const digits = String(value).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** The same without zeros at its end: exact, and as short as it can be. */
export function formatDecimal(value: bigint, places: number): string {
  const text = formatFixed(value, places);
  return places === 0 ? text : text.replace(/\.?0+$/, '');
}
